// A mail server for tests, run by plain Node in a network that the steps of an engine can reach. Accepts mails from the user in MAIL_USER
// with the password in MAIL_PASSWORD, prints `ready PORT`, and prints each received mail as a line of JSON.
import { SMTPServer } from "smtp-server";

const server = new SMTPServer({
  disabledCommands: ["STARTTLS"],
  allowInsecureAuth: true,
  onAuth({ username, password }, _session, done) {
    const isKnown = username === process.env.MAIL_USER && password === process.env.MAIL_PASSWORD;
    done(isKnown ? null : new Error("wrong password"), { user: username });
  },
  onData(stream, { envelope, user }, done) {
    let text = "";
    stream.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
    stream.on("end", () => {
      console.log(JSON.stringify({ user, to: envelope.rcptTo.map(({ address }) => address), text }));
      done();
    });
  },
});
server.listen(0, process.env.MAIL_HOST, () => console.log(`ready ${server.server.address().port}`));
