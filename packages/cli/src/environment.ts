// biome-ignore lint/style/noProcessEnv: the settings of a command-line program are its environment
export const environment: NodeJS.ProcessEnv = process.env;
