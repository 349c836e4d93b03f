/** The choices of a theme; kept in the browser, not on the server. */
export const themes = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
  { value: "auto", label: "System" },
] as const;
