import { createTheme, type MantineColorsTuple } from "@mantine/core";
import { t } from "../texts/ui.ts";

/** The one accent: a deep water green. */
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

/** Greys of the dark theme, with the accent's tint: text, borders (4), hover (5), fields (6), the page (7). */
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

/** What Mantine's components take from us; what our own styles use is in tokens.css. */
export const theme = createTheme({
  primaryColor: "water",
  colors: { water, dark },
  // White on it has 5.3:1, in both themes; text in the accent is `--accent`.
  primaryShade: 6,
  autoContrast: true,
  luminanceThreshold: 0.3,
  fontFamily: "Roboto, system-ui, sans-serif",
  fontFamilyMonospace: "'Roboto Mono', ui-monospace, monospace",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  // Each weight is a file, and a screen waits for it. 500 is bold enough beside 400.
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
  // By name: a component that is imported here comes with the first screen.
  components: {
    // Told apart from text without colour, too.
    Anchor: { defaultProps: { underline: "always" } },
    // With eight pixels before the first one of a page, its word stands below the title.
    Tabs: { styles: { tab: { padding: "8px" } } },
    // Where it is wider than its place, as on a phone, it scrolls.
    SegmentedControl: { styles: { root: { maxWidth: "100%", overflowX: "auto" } } },
    // A menu may hold nothing but its entries.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // The list of choices scrolls itself, as readers of screens expect of one: a region around it would need a place for the focus.
    ...Object.fromEntries(["Select", "MultiSelect", "Autocomplete", "TagsInput"].map((name) => [name, choices])),
    // "Nothing found" stands in the list of choices, which may hold nothing but choices.
    ComboboxEmpty: { defaultProps: { role: "option", "aria-disabled": true, "aria-selected": false } },
    // In dialogs and notifications, where nothing else names it.
    CloseButton: { defaultProps: () => ({ "aria-label": t("theme.close") }) },
    // In the font of the text: the other one would be loaded for the keys in the head of each page.
    Kbd: { styles: { root: { fontFamily: "inherit" } } },
  },
});

/** The choices of a theme; kept in the browser, not on the server. */
export const themes = [
  { value: "light", word: "light" },
  { value: "dark", word: "dark" },
  { value: "auto", word: "system" },
] as const;

/** The theme is there before the texts are (`loadTexts`). */
export function themeWord({ word }: (typeof themes)[number]): string {
  return t(`themes.${word}`);
}
