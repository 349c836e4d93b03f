/**
 * Where programs of the system are looked for, regardless of the PATH of this process: programs that it starts with more rights than its
 * caller has must not come from a folder that others chose.
 */
export const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
