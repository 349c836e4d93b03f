/*
 * Starts a step and copies what it writes into files, beside passing it on (Tekton's stdoutConfig and stderrConfig):
 *
 *   copy-output FORWARD OUT ERR PROGRAM [ARGUMENT...]
 *
 * OUT and ERR are the files of standard output and standard error, or empty; both can be the same. They are opened here, as the step's user
 * in the step's own file system, so a path leads where it would lead the step. PROGRAM is a path. FORWARD is 1 where only this process gets
 * the signals that are for the step; elsewhere all processes of a step get them, and they must not end this one before it has copied all.
 *
 * It ends as the program ends (128 + N after the signal N), when everything that the program itself wrote is copied: what it has left behind
 * may hold the pipes open forever, or fill them again and again. Exit code 126: a file can't be opened, or the program not started; 1: the
 * copy is not whole.
 *
 * No library, no data, nothing but the stack: machine-program.ts makes it a file. `copy-output-code.ts` has the machine code of this text,
 * and says how it was made.
 */
typedef long Word;
typedef unsigned long Set;

#ifdef __x86_64__
enum { Read = 0, Write = 1, Close = 3, Mask = 14, Clone = 56, Execute = 59, Wait = 61, Kill = 62, Exit = 231, Open = 257, MakeFolder = 258,
	Poll = 271, SignalFile = 289, Duplicate = 292, Pipe = 293, Control = 16 };
static inline Word call(Word number, Word a, Word b, Word c, Word d, Word e) {
	Word result;
	register Word r10 __asm__("r10") = d;
	register Word r8 __asm__("r8") = e;
	__asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8) : "rcx", "r11", "memory");
	return result;
}
__asm__(".section .text.start\n.globl _start\n_start: mov %rsp, %rdi\nand $-16, %rsp\ncall begin\n");
#else
enum { Read = 63, Write = 64, Close = 57, Mask = 135, Clone = 220, Execute = 221, Wait = 260, Kill = 129, Exit = 94, Open = 56, MakeFolder = 34,
	Poll = 73, SignalFile = 74, Duplicate = 24, Pipe = 59, Control = 29 };
static inline Word call(Word number, Word a, Word b, Word c, Word d, Word e) {
	register Word x8 __asm__("x8") = number;
	register Word x0 __asm__("x0") = a;
	register Word x1 __asm__("x1") = b;
	register Word x2 __asm__("x2") = c;
	register Word x3 __asm__("x3") = d;
	register Word x4 __asm__("x4") = e;
	__asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
	return x0;
}
__asm__(".section .text.start\n.globl _start\n_start: mov x0, sp\nbl begin\n");
#endif

enum { CurrentFolder = -100, CloseOnExecute = 02000000, WriteCreateAppend = 02101, EndOfChild = 17, NoHang = 1, Interrupted = -4,
	CountWaiting = 0x541b };

struct polled {
	int file;
	short wanted, found;
};

static void leave(int code) {
	for (;;) call(Exit, code, 0, 0, 0, 0);
}

static Word length(const char *text) {
	Word count = 0;
	while (text[count]) count++;
	return count;
}

/* @returns whether all of it was written */
static int writeAll(int file, const char *from, Word count) {
	while (count > 0) {
		Word written = call(Write, file, (Word)from, count, 0, 0);
		if (written == Interrupted) continue;
		if (written <= 0) return 0;
		from += written;
		count -= written;
	}
	return 1;
}

static void say(const char *subject, const char *words) {
	writeAll(2, subject, length(subject));
	writeAll(2, words, length(words));
}

static int isSame(const char *one, const char *other) {
	while (*one && *one == *other) one++, other++;
	return *one == *other;
}

/* As Tekton does: the folders of the path are made. */
static int openCopy(char *path) {
	for (char *at = path + 1; path[0] && *at; at++) {
		if (*at != '/') continue;
		*at = 0;
		call(MakeFolder, CurrentFolder, (Word)path, 0777, 0, 0);
		*at = '/';
	}
	int file = call(Open, CurrentFolder, (Word)path, WriteCreateAppend | CloseOnExecute, 0666, 0);
	if (file < 0) {
		say(path, ": can't be opened for the output of the step (stdoutConfig, stderrConfig)\n");
		leave(126);
	}
	return file;
}

/* TERM, INT, HUP, QUIT, USR1, USR2, PIPE and that of the child's end: numbers from 1. */
static const Set signals = 1UL << 14 | 1UL << 1 | 1UL << 0 | 1UL << 2 | 1UL << 9 | 1UL << 11 | 1UL << 12 | 1UL << (EndOfChild - 1);

static int codeOf(int status) {
	return (status & 127) == 0 ? (status >> 8) & 255 : 128 + (status & 127);
}

__attribute__((used)) void begin(Word *stack) {
	char **arguments = (char **)(stack + 1);
	char **environment = arguments + stack[0] + 1;
	char buffer[65536];
	struct polled polled[3];
	int ends[2][2];
	int files[2];
	/* What is still to be copied of each when the program is over; where that can't be asked, the most that a pipe holds. */
	int left[2] = { 1 << 20, 1 << 20 };
	int status = 0, isOver = 0, isWhole = 1;
	Set before = 0, blocked = signals;

	if (stack[0] < 5) leave(126);
	/* What is passed on is one pipe, in which the order stays. */
	call(Duplicate, 1, 2, 0, 0, 0);
	char **paths = arguments + 2;
	int isOne = paths[0][0] && isSame(paths[0], paths[1]);
	for (int stream = 0; stream < 2; stream++) {
		files[stream] = -1;
		polled[stream].file = -1;
		polled[stream].wanted = 1;
		if (!paths[stream][0] || (stream == 1 && isOne)) continue;
		files[stream] = openCopy(paths[stream]);
		if (call(Pipe, (Word)ends[stream], CloseOnExecute, 0, 0, 0) < 0) leave(126);
		polled[stream].file = ends[stream][0];
	}
	call(Mask, 0, (Word)&blocked, (Word)&before, 8, 0);
	polled[2].wanted = 1;
	polled[2].file = call(SignalFile, -1, (Word)&blocked, 8, CloseOnExecute, 0);

	Word child = call(Clone, EndOfChild, 0, 0, 0, 0);
	if (child < 0) leave(126);
	if (child == 0) {
		for (int stream = 0; stream < 2; stream++)
			if (files[stream] >= 0) call(Duplicate, ends[stream][1], stream + 1, 0, 0, 0);
		if (isOne) call(Duplicate, 1, 2, 0, 0, 0);
		call(Mask, 2, (Word)&before, 0, 8, 0);
		call(Execute, (Word)arguments[4], (Word)(arguments + 4), (Word)environment, 0, 0);
		say(arguments[4], ": can't be started\n");
		leave(126);
	}
	for (int stream = 0; stream < 2; stream++)
		if (files[stream] >= 0) call(Close, ends[stream][1], 0, 0, 0, 0);

	for (;;) {
		/* What it wrote before its end lies in the pipes. */
		if (!isOver && call(Wait, child, (Word)&status, NoHang, 0, 0) == child) {
			isOver = 1;
			for (int stream = 0; stream < 2; stream++) call(Control, polled[stream].file, CountWaiting, (Word)&left[stream], 0, 0);
		}
		for (int stream = 0; stream < 2; stream++)
			if (isOver && left[stream] <= 0) polled[stream].file = -1;
		if (isOver && polled[0].file < 0 && polled[1].file < 0) break;
		Word pause[2] = { 0, isOver ? 0 : 200000000 };
		Word ready = call(Poll, (Word)polled, 3, (Word)pause, 0, 8);
		if (ready <= 0) {
			if (isOver && ready != Interrupted) break;
			continue;
		}
		if (polled[2].found && call(Read, polled[2].file, (Word)buffer, 128, 0, 0) == 128) {
			int signal = *(int *)buffer;
			if (arguments[1][0] == '1' && signal != EndOfChild && !isOver) call(Kill, child, signal, 0, 0, 0);
		}
		for (int stream = 0; stream < 2; stream++) {
			if (polled[stream].file < 0 || !polled[stream].found) continue;
			Word most = isOver && left[stream] < (int)sizeof buffer ? left[stream] : (int)sizeof buffer;
			Word count = call(Read, polled[stream].file, (Word)buffer, most, 0, 0);
			if (count == Interrupted) continue;
			if (count <= 0) {
				call(Close, polled[stream].file, 0, 0, 0, 0);
				polled[stream].file = -1;
				continue;
			}
			if (isOver) left[stream] -= count;
			writeAll(1, buffer, count);
			if (files[stream] < 0 || writeAll(files[stream], buffer, count)) continue;
			say(paths[stream], ": can't be written any more, so it has not the whole output of the step\n");
			files[stream] = -1;
			isWhole = 0;
		}
	}
	leave(isWhole || codeOf(status) ? codeOf(status) : 1);
}
