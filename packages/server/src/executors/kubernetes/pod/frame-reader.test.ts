import { expect, test } from "vitest";
import { FrameReader, type Frames } from "./frame-reader.ts";

function record(): { said: string[]; frames: Frames } {
  const said: string[] = [];
  return {
    said,
    frames: {
      onBegin: (step, agoMs) => void said.push(`begin ${step} ${agoMs}`),
      onOutput: (step, stream, chunk) => void said.push(`${stream} ${step} ${chunk.toString("latin1")}`),
      onEnd: (step, code, kills) => void said.push(`end ${step} ${code} ${kills}`),
      onSkip: (step) => void said.push(`skip ${step}`),
      onRefuse: (step, value, why) => void said.push(`refuse ${step} ${value} ${why}`),
      onBreach: ({ kibibytes, files, gone, other, unseen, volume }) =>
        void said.push(`breach ${[kibibytes, files, gone, other, unseen, volume].join(" ")}`),
      onSidecarOutput: (sidecar, chunk) => void said.push(`beside ${sidecar} ${chunk.toString("latin1")}`),
      onSidecarEnd: (sidecar, { code, kills, when }) => void said.push(`ended ${sidecar} ${code} ${kills} ${when}`),
      onUnready: (sidecar, why, number) => void said.push(`unready ${sidecar} ${why} ${number}`),
      onResult: (name, bytes) => void said.push(`result ${name} ${bytes}`),
      onOver: () => void said.push("over"),
      onRestart: () => undefined,
      takeRoom: () => undefined,
    },
  };
}

const stream =
  "begin 1 40\nout 1 6\na\nout err 1 2\nxytick\nend 1 0 0\nbegin 2 0\nend 2 lost 0\nskip 3\nrefuse 4 2 missing\nbreach 0 99\nbreach 0 99 4 3 2 1\nresult 0 3 a b\n1\n2result 0 0 empty\nlarge 0 9 big\nover\n";

test("frames are read from any pieces", () => {
  const whole = record();
  new FrameReader(whole.frames, 1_000).push(Buffer.from(stream));
  const single = record();
  const reader = new FrameReader(single.frames, 1_000);
  for (const byte of Buffer.from(stream)) reader.push(Buffer.from([byte]));
  const joined = (said: string[]): string =>
    said
      .filter((line) => line.startsWith("output"))
      .map((line) => line.slice(9))
      .join("");
  expect(joined(single.said)).toBe("a\nout ");
  expect(single.said.filter((line) => !/^(output|stderr) /.test(line))).toEqual(
    whole.said.filter((line) => !/^(output|stderr) /.test(line)),
  );
  expect(whole.said).toEqual([
    "begin 1 40",
    "output 1 a\nout ",
    "stderr 1 xy",
    "end 1 0 0",
    "begin 2 0",
    "end 2 lost 0",
    "skip 3",
    "refuse 4 2 missing",
    "breach 99 0 0 0 0 0",
    "breach 99 4 3 2 1 0",
    "result a b 1\n2",
    "result empty ",
    "result big too large",
    "over",
  ]);
});

test("a broken connection is resumed where it broke", () => {
  const { said, frames } = record();
  const reader = new FrameReader(frames, 1_000);
  reader.push(Buffer.from("begin 1 0\nout 1 6\nabc"));
  expect(reader.position).toEqual({ step: 1, out: 3, err: 0, sidecars: [] });
  reader.restart();
  reader.push(Buffer.from("begin 1 500\nout 1 3\ndefend 1 7 0\n"));
  expect(said).toEqual(["begin 1 0", "output 1 abc", "begin 1 500", "output 1 def", "end 1 7 0"]);
  expect(reader.position).toEqual({ step: 2, out: 0, err: 0, sidecars: [] });
});

test("invalid frames are an error, and use limited memory", () => {
  expect(() => new FrameReader(record().frames, 1_000).push(Buffer.from("sh: not found\n"))).toThrow("not a frame");
  expect(() => new FrameReader(record().frames, 1_000).push(Buffer.alloc(10_000, 97))).toThrow("not a frame");
  expect(() => new FrameReader(record().frames, 1_000).push(Buffer.from("out 1 -5\n"))).toThrow("not a frame");
});

test("what a step writes into its own pipe can't forge an exit code, another step or an endless result", () => {
  for (const code of ["99999999999 0", "256 0", "1.5 0", "-1 0", "abc 0", "0x0 0", "", " ", "1e2 0", "Infinity 0"]) {
    const { said, frames } = record();
    new FrameReader(frames, 1_000).push(Buffer.from(`end 1 ${code}\n`));
    expect(said, code).toEqual(["end 1 lost 0"]);
  }
  const { said, frames } = record();
  const reader = new FrameReader(frames, 1_000);
  reader.push(Buffer.from("end 1 255 NaN\n"));
  expect(said).toEqual(["end 1 255 0"]);
  for (const frame of ["end 1 0 0\n", "end 3 0 0\n", "begin 9 0\n", "begin x 0\n", "result 0 1001 name\n"])
    expect(() => reader.push(Buffer.from(frame)), frame).toThrow("not a frame");
  expect(reader.position).toEqual({ step: 2, out: 0, err: 0, sidecars: [] });
});

test("output and ends of sidecars come between those of steps, and are resumed as well", () => {
  const { said, frames } = record();
  const reader = new FrameReader(frames, 1_000, 2);
  reader.push(Buffer.from("beside 2 4\nab\ncbegin 1 0\nbeside 1 2\nxyended 2 7 1 early\nunready 1 port 2\nbeside 2 9\nhalf"));
  expect(said).toEqual(["beside 1 ab\nc", "begin 1 0", "beside 0 xy", "ended 1 7 1 early", "unready 0 port 2", "beside 1 half"]);
  expect(reader.position).toMatchObject({ step: 1, sidecars: [2, 8] });
  reader.restart();
  reader.push(Buffer.from("ended 1 lost x odd\n"));
  expect(said.at(-1)).toBe("ended 0 lost 0 asked");
  for (const frame of ["beside 3 1\n", "beside 0 1\n", "ended x 0 0 late\n", "unready 9 port 1\n", "beside 1 -1\n"])
    expect(() => reader.push(Buffer.from(frame)), frame).toThrow("not a frame");
});
