// biome-ignore lint/style/noProcessEnv: a program of the user's, whose settings are its environment
export const environment: NodeJS.ProcessEnv = process.env;
