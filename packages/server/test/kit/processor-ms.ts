/** What this process has worked so far, in ms of processor time. For limits on what is computed: they hold however busy the machine is. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
