/*
 * The first process of every step of the process executor: the launcher (process/isolation/launcher.ts), inside the sandbox and with no more
 * rights than the step. It sets what a program can only set for itself (limits, folder, environment), starts the step and ends with its exit
 * code, 128 + N after the signal N. It is needed as the first process of a process space anyway: a program without signal handlers could not
 * be ended there, and orphans need someone to wait for them. `start-step.sh` does the same on machines that this program is not made for.
 *
 *   start-step ENVIRONMENT DATA_KIB PROCESSES FOLDER UMASK PROGRAM [ARGUMENT...]
 *   start-step FILE
 *
 * FILE has all of the first form, each text ended by a NUL, `start-step` as well: for a sandbox that was made before its step was known
 * (process/ahead/sandboxes-ahead.ts).
 *
 * ENVIRONMENT is a file of NAME=VALUE, each ended by a NUL, or `-`: it is read here and not before, so that no variable of a user (LD_PRELOAD)
 * reaches a program that makes the sandbox. DATA_KIB (largest data segment of a process) and PROCESSES (of the user) are 0 where something else
 * limits them. UMASK is octal. PROGRAM is looked for in the PATH of the environment, as a shell does, and a file without the number of a
 * program is run by /bin/sh. Exit code 127: there is no such program; 126: it can't be started, or there is no such folder.
 *
 * No library, no data, nothing but the stack and memory of its own: machine-program.ts makes it a file. `start-step-code.ts` has the machine
 * code of this text, and says how it was made. A shell in its place takes the processor 20 to 30 times as long, most of it in its libraries.
 */
typedef long Word;

#ifdef __x86_64__
enum { Read = 0, Write = 1, Close = 3, Seek = 8, Map = 9, Sleep = 35, Clone = 56, Execute = 59, Wait = 61, ChangeFolder = 80, Mask = 95, SetLimit = 160,
	Exit = 231, Open = 257, MakeFolder = 258 };
static inline Word call(Word number, Word a, Word b, Word c, Word d, Word e, Word f) {
	Word result;
	register Word r10 __asm__("r10") = d;
	register Word r8 __asm__("r8") = e;
	register Word r9 __asm__("r9") = f;
	__asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory");
	return result;
}
__asm__(".section .text.start\n.globl _start\n_start: mov %rsp, %rdi\nand $-16, %rsp\ncall begin\n");
#else
enum { Read = 63, Write = 64, Close = 57, Seek = 62, Map = 222, Sleep = 101, Clone = 220, Execute = 221, Wait = 260, ChangeFolder = 49, Mask = 166,
	SetLimit = 164, Exit = 94, Open = 56, MakeFolder = 34 };
static inline Word call(Word number, Word a, Word b, Word c, Word d, Word e, Word f) {
	register Word x8 __asm__("x8") = number;
	register Word x0 __asm__("x0") = a;
	register Word x1 __asm__("x1") = b;
	register Word x2 __asm__("x2") = c;
	register Word x3 __asm__("x3") = d;
	register Word x4 __asm__("x4") = e;
	register Word x5 __asm__("x5") = f;
	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
	return x0;
}
__asm__(".section .text.start\n.globl _start\n_start: mov x0, sp\nbl begin\n");
#endif

enum { CurrentFolder = -100, CloseOnExecute = 02000000, WriteOnly = 1, FromEnd = 2, EndOfChild = 17, ReadWrite = 3, PrivateNew = 0x22 };
enum { NotFound = -2, Interrupted = -4, NoProgram = -8, TryAgain = -11, NotAllowed = -13, NoFolder = -20 };
enum { DataLimit = 2, CoreLimit = 4, ProcessLimit = 6 };
enum { longestPath = 4096 };

static void leave(int code) {
	for (;;) call(Exit, code, 0, 0, 0, 0, 0);
}

static Word length(const char *text) {
	Word count = 0;
	while (text[count]) count++;
	return count;
}

static void say(const char *text) {
	call(Write, 2, (Word)text, length(text), 0, 0, 0);
}

static void fail(const char *before, const char *subject, const char *after, int code) {
	say(before);
	say(subject);
	say(after);
	leave(code);
}

static char *copy(char *to, const char *from) {
	while (*from) *to++ = *from++;
	*to = 0;
	return to;
}

static Word number(const char *text, int base) {
	Word value = 0;
	while (*text >= '0' && *text <= '9') value = value * base + (*text++ - '0');
	return value;
}

static char *reserve(Word bytes) {
	Word found = call(Map, 0, bytes, ReadWrite, PrivateNew, -1, 0);
	if (found < 0 && found > -longestPath) fail("", "step", ": there is no memory for its environment\n", 126);
	return (char *)found;
}

static void limit(int what, Word most) {
	Word both[2] = { most, most };
	call(SetLimit, what, (Word)both, 0, 0, 0, 0);
}

/* When the machine runs out of memory the kernel ends steps before anything else, the service and its database last. */
static void offerToEnd(void) {
	Word file = call(Open, CurrentFolder, (Word)"/proc/self/oom_score_adj", WriteOnly | CloseOnExecute, 0, 0, 0);
	if (file < 0) return;
	call(Write, file, (Word)"1000", 4, 0, 0, 0);
	call(Close, file, 0, 0, 0, 0, 0);
}

/* A folder that is not there is made, with those above it. */
static int enter(char *folder) {
	if (call(ChangeFolder, (Word)folder, 0, 0, 0, 0, 0) >= 0) return 1;
	for (char *at = folder; *at; at++) {
		if (*at != '/' || at == folder) continue;
		*at = 0;
		call(MakeFolder, CurrentFolder, (Word)folder, 0777, 0, 0, 0);
		*at = '/';
	}
	call(MakeFolder, CurrentFolder, (Word)folder, 0777, 0, 0, 0);
	return call(ChangeFolder, (Word)folder, 0, 0, 0, 0, 0) >= 0;
}

/* @returns the texts of a file, each ended by a NUL; the one after the last has room for `spareBytes` */
static char **readTexts(const char *path, Word spareBytes, Word *count) {
	Word file = call(Open, CurrentFolder, (Word)path, CloseOnExecute, 0, 0, 0);
	Word bytes = file < 0 ? file : call(Seek, file, 0, FromEnd, 0, 0, 0);
	if (bytes < 0) fail("step: ", path, " can't be read\n", 126);
	char *text = reserve(bytes + 1 + spareBytes);
	Word got = 0;
	call(Seek, file, 0, 0, 0, 0, 0);
	while (got < bytes) {
		Word more = call(Read, file, (Word)(text + got), bytes - got, 0, 0, 0);
		if (more == Interrupted) continue;
		if (more <= 0) fail("step: ", path, " can't be read\n", 126);
		got += more;
	}
	call(Close, file, 0, 0, 0, 0, 0);
	*count = 0;
	for (Word at = 0; at < bytes; at++) *count += text[at] == 0;
	char **list = (char **)reserve((*count + 2) * sizeof(char *));
	char *at = text;
	for (Word index = 0; index < *count; index++) {
		list[index] = at;
		at += length(at) + 1;
	}
	list[*count] = text + bytes + 1;
	return list;
}

/* @returns the variables of the file, and PWD, as a shell sets it */
static char **readEnvironment(const char *path, const char *folder) {
	Word count;
	char **list = readTexts(path, 4 + length(folder) + 1, &count);
	/* Shells make their own of it where it is not the folder. */
	copy(copy(list[count], "PWD="), folder);
	return list;
}

static const char *find(char **environment, const char *name) {
	for (; *environment; environment++) {
		Word at = 0;
		while (name[at] && (*environment)[at] == name[at]) at++;
		if (!name[at]) return *environment + at;
	}
	return "";
}

/* @returns why it could not */
static Word execute(const char *path, char **arguments, char **environment, char **forShell) {
	Word problem = call(Execute, (Word)path, (Word)arguments, (Word)environment, 0, 0, 0);
	if (problem != NoProgram) return problem;
	/* Text without a first line that names what runs it. */
	forShell[0] = (char *)"/bin/sh";
	forShell[1] = (char *)path;
	Word at = 1;
	for (; arguments[at]; at++) forShell[at + 1] = arguments[at];
	forShell[at + 1] = 0;
	return call(Execute, (Word)forShell[0], (Word)forShell, (Word)environment, 0, 0, 0);
}

static Word lookFor(char **arguments, char **environment, char **forShell) {
	const char *name = arguments[0];
	char path[longestPath + 1];
	for (const char *at = name; *at; at++)
		if (*at == '/') return execute(name, arguments, environment, forShell);
	Word problem = NotFound;
	Word nameBytes = length(name);
	const char *folders = find(environment, "PATH=");
	for (;;) {
		Word bytes = 0;
		while (folders[bytes] && folders[bytes] != ':') bytes++;
		if (nameBytes > 0 && bytes + 1 + nameBytes < longestPath) {
			for (Word at = 0; at < bytes; at++) path[at] = folders[at];
			path[bytes] = '/';
			copy(path + bytes + (bytes > 0), name);
			Word found = execute(path, arguments, environment, forShell);
			if (found != NotFound && found != NoFolder) problem = found;
		}
		if (!folders[bytes]) return problem;
		folders += bytes + 1;
	}
}

__attribute__((used)) void begin(Word *stack) {
	char **arguments = (char **)(stack + 1);
	char **environment = arguments + stack[0] + 1;
	Word count = stack[0];
	Word dataKib, processes;
	int status = 0;

	if (count == 2) {
		arguments = readTexts(arguments[1], 1, &count);
		arguments[count] = 0;
	}
	if (count < 7) leave(126);
	offerToEnd();
	char **program = arguments + 6;
	char *folder = arguments[4];
	call(Mask, number(arguments[5], 8), 0, 0, 0, 0, 0);
	if (arguments[1][0] != '-' || arguments[1][1]) environment = readEnvironment(arguments[1], folder);
	char **forShell = (char **)reserve((count + 2) * sizeof(char *));
	dataKib = number(arguments[2], 10);
	processes = number(arguments[3], 10);
	if (dataKib > 0) limit(DataLimit, dataKib * 1024);
	if (processes > 0) limit(ProcessLimit, processes);
	limit(CoreLimit, 0);
	if (!enter(folder)) fail("cannot enter the working directory ", folder, "\n", 126);

	/* If the machine is out of processes for a moment, the step starts a little later instead of failing. */
	Word child = call(Clone, EndOfChild, 0, 0, 0, 0, 0);
	for (int tries = 0; child == TryAgain && tries < 20; tries++) {
		Word pause[2] = { 0, 50000000 };
		call(Sleep, (Word)pause, 0, 0, 0, 0, 0);
		child = call(Clone, EndOfChild, 0, 0, 0, 0, 0);
	}
	if (child < 0) fail("step: ", program[0], ": no process can be started for it\n", 126);
	if (child == 0) {
		Word problem = lookFor(program, environment, forShell);
		int isMissing = problem == NotFound || problem == NoFolder;
		fail("step: ", program[0], isMissing ? ": not found\n" : problem == NotAllowed ? ": Permission denied\n" : ": can't be started\n",
			isMissing ? 127 : 126);
	}
	/* Orphans of the process space end here as well. */
	for (;;) {
		Word ended = call(Wait, -1, (Word)&status, 0, 0, 0, 0);
		if (ended == child) leave((status & 127) == 0 ? (status >> 8) & 255 : 128 + (status & 127));
		if (ended < 0 && ended != Interrupted) leave(126);
	}
}
