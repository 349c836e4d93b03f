/** Name of the cookie that holds a session's token, before the prefix that browsers want for a secure one. */
export const sessionCookie = "millrace-session";
