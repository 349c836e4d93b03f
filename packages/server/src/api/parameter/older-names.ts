/** For the descriptions of the endpoints that take a parameter. */
export const olderNames = "Member names of older clients work too: `key` for `name`, `defaultValue`, `values` for a list, `helperText`.";
