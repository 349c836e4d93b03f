import { type MessageFamily, translatedBy } from "../../../api/german-families.ts";

/**
 * What a worker says about its executors, in German: parts that are separated by semicolons, each of which says how steps are isolated or
 * limited, or why an executor is off. Only administrators see it, so it is not with the texts that each page loads.
 */
/** Sentences that have parts themselves. */
const wholes: readonly MessageFamily[] = [
  ["no container engine can be used: {0}. {1}", "keine Container-Engine ist verwendbar: {0!}. {1!}"],
  [
    "this worker accepts no tasks: {0}. It checks again every few seconds",
    "dieser Worker nimmt keine Tasks an: {0!}. Er prüft es alle paar Sekunden",
  ],
];

const families: readonly MessageFamily[] = [
  // How steps are isolated.
  ["own files, processes, network and user by bubblewrap", "Dateien, Prozesse, Netz und Benutzer sind eigene, durch bubblewrap"],
  [
    "own files, processes and network by bubblewrap, own user id, no user namespace",
    "Dateien, Prozesse und Netz sind eigene, durch bubblewrap; eigene Benutzer-ID, kein User-Namespace",
  ],
  ["own files, processes and user by bubblewrap", "Dateien, Prozesse und Benutzer sind eigene, durch bubblewrap"],
  [
    "own files, processes and network by util-linux (unshare, mount, setpriv)",
    "Dateien, Prozesse und Netz sind eigene, durch util-linux (unshare, mount, setpriv)",
  ],
  ["no /proc, as this machine allows none inside", "kein /proc, weil diese Maschine darin keines erlaubt"],
  ["own user ID without privileges", "eigene Benutzer-ID ohne Rechte"],
  [
    "files that everyone can read and the network of the machine are visible",
    "sichtbar sind Dateien, die alle lesen können, und das Netz der Maschine",
  ],
  ["files that everyone can read are visible", "sichtbar sind Dateien, die alle lesen können"],
  ["{0} are the attempt's own", "{0} sind eigene Ordner des Versuchs"],
  ["{0} are shared, and emptied after each attempt", "{0} sind gemeinsame Ordner, die nach jedem Versuch geleert werden"],
  ["other users' processes are hidden", "Prozesse anderer Benutzer sind verborgen"],
  ["the processes of the machine are visible", "die Prozesse der Maschine sind sichtbar"],
  [
    "no sandbox: a step can read and change everything that the service can",
    "keine Sandbox: ein Schritt kann lesen und ändern, was der Dienst kann",
  ],
  ["steps can use the session keyring of the service", "Schritte können den Schlüsselbund der Sitzung des Dienstes verwenden"],
  ["steps can't create user namespaces", "Schritte können keine User-Namespaces anlegen"],
  ["steps can create user namespaces", "Schritte können User-Namespaces anlegen"],
  ["system calls filtered", "Systemaufrufe werden gefiltert"],
  ["system calls are not filtered, which needs bubblewrap", "Systemaufrufe werden nicht gefiltert; dafür ist bubblewrap nötig"],
  ["system calls are not filtered: {0}", "Systemaufrufe werden nicht gefiltert: {0!}"],
  ["this kernel has no seccomp filters", "dieser Kernel hat keine seccomp-Filter"],
  ["there is no filter for processors of the kind {0}", "für Prozessoren der Art {0} gibt es keinen Filter"],
  // Limits.
  ["memory and processes are limited by {0}", "Speicher und Prozesse sind begrenzt durch {0}"],
  ["memory is limited by {0}, the number of processes is not limited", "der Speicher ist begrenzt durch {0!}, die Zahl der Prozesse nicht"],
  ["memory is limited by {0}, processes by {1}", "der Speicher ist begrenzt durch {0!}, Prozesse durch {1}"],
  ["rlimits a process and by watching", "rlimits je Prozess und durch Beobachten"],
  ["processor time is shared between teams roughly, by nice", "Rechenzeit teilen sich die Teams ungefähr, durch nice"],
  ["processor time is shared between teams by {0}", "Rechenzeit teilen sich die Teams durch {0}"],
  ["limited by control groups {0}: {1}", "begrenzt durch Control Groups {0}: {1!}"],
  ["not limited, since the engine can't: {0}", "nicht begrenzt, weil die Container-Engine es nicht kann: {0!}"],
  ["memory, the number of processes, processors", "Speicher, Zahl der Prozesse, Prozessoren"],
  ["memory, the number of processes", "Speicher, Zahl der Prozesse"],
  ["memory, processors", "Speicher, Prozessoren"],
  ["the number of processes, processors", "Zahl der Prozesse, Prozessoren"],
  ["the number of processes", "Zahl der Prozesse"],
  ["memory", "Speicher"],
  ["processors", "Prozessoren"],
  ["without a seccomp filter", "ohne seccomp-Filter"],
  [
    "without an init process: a program that does not handle TERM is killed after its grace period",
    "ohne init-Prozess: ein Programm, das TERM nicht behandelt, wird nach seiner Frist beendet",
  ],
  [
    "output without the order of standard output and standard error, which can't be merged here",
    "Ausgabe ohne die Reihenfolge von Standardausgabe und Fehlerausgabe, die hier nicht vereint werden können",
  ],
  ["{0}, rootless, at {1}", "{0}, rootless, auf {1}"],
  // The network.
  ["every step shares the network of the machine", "alle Schritte haben das Netz der Maschine"],
  ["every step has the network of the machine", "jeder Schritt hat das Netz der Maschine"],
  ["packet filter rules keep steps from the network", "Regeln des Paketfilters halten Schritte vom Netz fern"],
  ["outbound is an HTTP proxy of the service", "outbound ist ein HTTP-Proxy des Dienstes"],
  ["the network outbound is an HTTP proxy of the service", "das Netz outbound ist ein HTTP-Proxy des Dienstes"],
  ["network outbound: filtered by nft in the network of each attempt", "Netz outbound: durch nft im Netz jedes Versuchs gefiltert"],
  ["network outbound: not filtered ({0}), since {1}", "Netz outbound: nicht gefiltert ({0}), wegen {1}"],
  ["network outbound: refused, since it can't be filtered ({0})", "Netz outbound: abgelehnt, weil es nicht gefiltert werden kann ({0})"],
  ["install nft where the engine runs", "nft dort installieren, wo die Container-Engine läuft"],
  ["Kubernetes {0} at {1}, namespace {2}, helper image {3}", "Kubernetes {0} auf {1}, Namespace {2}, Hilfs-Image {3}"],
  [
    "networks of tasks (none, outbound) are NetworkPolicies, which work only if the cluster's network plug-in enforces them",
    "Netze von Tasks (none, outbound) sind NetworkPolicies, die nur wirken, wenn das Netz-Plug-in des Clusters sie durchsetzt",
  ],
  ["{0}: not there, {1}", "{0}: fehlt, {1}"],
  // Why an executor is off.
  ["none was found", "keine wurde gefunden"],
  [
    "start Docker or Podman, or set MILLRACE_CONTAINER_HOST to its address",
    "Docker oder Podman starten, oder MILLRACE_CONTAINER_HOST auf die Adresse setzen",
  ],
  ["the worker looks for it every few seconds", "der Worker sucht alle paar Sekunden danach"],
  ["the cluster at {0} can't be reached: {1}", "der Cluster auf {0} ist nicht erreichbar: {1}"],
  ["rights are missing in the namespace {0}: {1}", "im Namespace {0} fehlen Rechte: {1}"],
  ["{0} gives them", "{0} gibt sie"],
  ["too many open files: the limit of this process is {0}", "zu viele offene Dateien: die Grenze dieses Prozesses ist {0}"],
  ["the disk of {0} is read-only", "auf die Festplatte von {0} kann nicht geschrieben werden"],
  ["the disk of {0} is full: {1} free, needs {2}", "die Festplatte von {0} ist voll: {1} frei, nötig sind {2}"],
  [
    "the disk of {0} is out of inodes: {1} files can be created, needs {2}",
    "die Festplatte von {0} hat keine Inodes mehr: {1} Dateien können angelegt werden, nötig sind {2}",
  ],
];

/** @returns parts that are known in German, and others, such as what a program or the network said, as they are */
export function workerDetailInGerman(detail: string): string {
  const whole = translatedBy(wholes, detail, workerDetailInGerman);
  if (whole !== detail) return whole;
  return detail
    .split("; ")
    .map((part) => translatedBy(families, part, workerDetailInGerman))
    .join("; ");
}
