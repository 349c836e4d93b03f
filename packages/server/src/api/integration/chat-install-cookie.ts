/** Binds an installation of the chat app to the browser that began it. */
export const chatInstallCookie = "millrace-chat-install";
