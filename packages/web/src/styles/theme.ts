import { Anchor, CloseButton, createTheme, type MantineColorsTuple } from "@mantine/core";

/** The one accent: a deep water green. Shade 6 on white and shade 4 on the dark ground reach 4.5:1. */
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

/** What Mantine's components take from us; what our own styles use is in tokens.css. */
export const theme = createTheme({
  primaryColor: "water",
  colors: { water },
  primaryShade: { light: 6, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.3,
  fontFamily: "Roboto, system-ui, sans-serif",
  fontFamilyMonospace: "'Roboto Mono', ui-monospace, monospace",
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
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
  components: {
    // Told apart from text without colour, too.
    Anchor: Anchor.extend({ defaultProps: { underline: "always" } }),
    // In dialogs and notifications, where nothing else names it.
    CloseButton: CloseButton.extend({ defaultProps: { "aria-label": "Close" } }),
  },
});
