import { createTheme, type MantineColorsTuple } from "@mantine/core";
import { t } from "../texts/ui.ts";

/** The only accent colour: a deep water green. */
const water: MantineColorsTuple = [
  "#eaf6f2",
  "#d3ebe3",
  "#a6d7c7",
  "#76c1aa",
  "#4fae92",
  "#359b7f",
  "#1f7a62",
  "#1a6653",
  "#155243",
  "#0e3b30",
];

/** Greys of the dark theme, tinted with the accent: text, borders (4), hover (5), fields (6), the page (7). */
const dark: MantineColorsTuple = [
  "#e6ecea",
  "#c4ceca",
  "#a5b1ac",
  "#75827c",
  "#303b37",
  "#2a3531",
  "#1b2320",
  "#141a18",
  "#101513",
  "#0b0f0d",
];

const choices = { defaultProps: { withScrollArea: false }, styles: { options: { maxHeight: "250px", overflowY: "auto" } } };

/** The theme of Mantine's components; the tokens for our own styles are in tokens.css. */
export const theme = createTheme({
  primaryColor: "water",
  colors: { water, dark },
  // White on it has a contrast of 5.3:1, in both themes; text in the accent colour uses `--accent`.
  primaryShade: 6,
  autoContrast: true,
  luminanceThreshold: 0.3,
  fontFamily: "Roboto, system-ui, sans-serif",
  fontFamilyMonospace: "'Roboto Mono', ui-monospace, monospace",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  // Each weight is a file that the first render waits for. 500 is bold enough beside 400.
  fontWeights: { regular: "400", medium: "500", bold: "500" },
  headings: {
    fontWeight: "500",
    sizes: {
      h1: { fontSize: "20px", lineHeight: "28px" },
      h2: { fontSize: "16px", lineHeight: "24px" },
      h3: { fontSize: "14px", lineHeight: "20px" },
    },
  },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "24px", xl: "32px" },
  defaultRadius: 4,
  respectReducedMotion: true,
  cursorType: "pointer",
  // By name: importing a component here would make it part of the first screen.
  components: {
    // Distinguishes links from text without relying on colour.
    Anchor: { defaultProps: { underline: "always" } },
    // With a padding of eight pixels, the first tab's label is aligned with the page title.
    Tabs: { styles: { tab: { padding: "8px" } } },
    // Scrolls if it is wider than its container, as on a phone.
    SegmentedControl: { styles: { root: { maxWidth: "100%", overflowX: "auto" } } },
    // A menu may contain only menu items (ARIA).
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // The list of options itself scrolls, as screen readers expect of a listbox; a scrolling region around it would need to be focusable.
    ...Object.fromEntries(["Select", "MultiSelect", "Autocomplete", "TagsInput"].map((name) => [name, choices])),
    // "Nothing found" is shown inside the listbox, which may contain only options.
    ComboboxEmpty: { defaultProps: { role: "option", "aria-disabled": true, "aria-selected": false } },
    // For dialogs and notifications, which give it no other label.
    CloseButton: { defaultProps: () => ({ "aria-label": t("theme.close") }) },
    // In the text font: the other font would be loaded just for the keys in the header of each page.
    Kbd: { styles: { root: { fontFamily: "inherit" } } },
  },
});

/** The available themes; the choice is stored in the browser, not on the server. */
export const themes = [
  { value: "light", word: "light" },
  { value: "dark", word: "dark" },
  { value: "auto", word: "system" },
] as const;

/** The theme is needed before the texts are loaded (`loadTexts`). */
export function themeWord({ word }: (typeof themes)[number]): string {
  return t(`themes.${word}`);
}
