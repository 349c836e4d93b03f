/**
 * The form of a name in paths (reference-api 1.4): characters other than ASCII letters, digits, apostrophes, white space and hyphens are
 * removed, each sequence of white space, apostrophes and hyphens becomes one hyphen, and letters become lower case. Hyphens at the ends
 * stay. The result may be empty.
 */
export function toSlug(text: string): string {
  return text
    .replace(/[^A-Za-z0-9'\s-]/g, "")
    .replace(/[\s'-]+/g, "-")
    .toLowerCase();
}
