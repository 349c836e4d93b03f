/**
 * Where programs of the system are looked for, whatever PATH this process was started with: what it starts with more rights than
 * those of its starter must not be found in a folder that others chose.
 */
export const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
