/** For the descriptions of the endpoints that take a parameter. */
export const olderNames =
  "The names that older clients use are read too: `key` for `name`, `defaultValue`, `values` for a list, `helperText`.";
