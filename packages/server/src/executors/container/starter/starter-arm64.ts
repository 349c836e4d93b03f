/** `starter.ts` for AArch64: the bytes of each instruction, and the instruction. */
export const startArm64 = `
                  ; start:
f3030091          ;   mov x19, sp
16008052          ;   mov w22, #0
690240f9          ;   ldr x9, [x19]                           ; x20: program and arguments; x21: environment; x22: exit code; x23: its name
74420091          ;   add x20, x19, #16
950e098b          ;   add x21, x20, x9, lsl #3
970240f9          ;   ldr x23, [x20]
f70600b4          ;   cbz x23, leave                          ; asked for nothing: 0
f60f8052          ;   mov w22, #127
e10317aa          ;   mov x1, x23                             ; a name with a slash is a path
                  ; slash:
20144038          ;   ldrb w0, [x1], #1
1fbc0071          ;   cmp w0, #47
20050054          ;   b.eq direct
a0ffff35          ;   cbnz w0, slash
f80315aa          ;   mov x24, x21                            ; x24: what is left of PATH
032a8852          ;   mov w3, #0x4150
830aa972          ;   movk w3, #0x4854, lsl #16
                  ; variable:
018740f8          ;   ldr x1, [x24], #8
a10400b4          ;   cbz x1, complain
200040b9          ;   ldr w0, [x1]
1f00036b          ;   cmp w0, w3
81ffff54          ;   b.ne variable
20104039          ;   ldrb w0, [x1, #4]
1ff40071          ;   cmp w0, #61
21ffff54          ;   b.ne variable
38140091          ;   add x24, x1, #5
ff0b40d1          ;   sub sp, sp, #8192
                  ; folder:
e4030091          ;   mov x4, sp                              ; one folder of it, as far as 4096 bytes go
85044091          ;   add x5, x4, #4096
                  ; letter:
19034039          ;   ldrb w25, [x24]
19010034          ;   cbz w25, name
18070091          ;   add x24, x24, #1
3feb0071          ;   cmp w25, #58
a0000054          ;   b.eq name
9f0005eb          ;   cmp x4, x5
42ffff54          ;   b.hs letter
99140038          ;   strb w25, [x4], #1
f8ffff17          ;   b letter
                  ; name:
e0030091          ;   mov x0, sp                              ; w25: 0 after the last folder; an empty folder is the current one
9f0000eb          ;   cmp x4, x0
60000054          ;   b.eq current
e0058052          ;   mov w0, #47
80140038          ;   strb w0, [x4], #1
                  ; current:
e10317aa          ;   mov x1, x23                             ; its name behind it
                  ; append:
9f0005eb          ;   cmp x4, x5
c2000054          ;   b.hs next
20144038          ;   ldrb w0, [x1], #1
80140038          ;   strb w0, [x4], #1
80ffff35          ;   cbnz w0, append
e0030091          ;   mov x0, sp                              ; execve; another folder is tried when it is not there
0f000094          ;   bl run
                  ; next:
19fdff35          ;   cbnz w25, folder
03000014          ;   b complain
                  ; direct:
e00317aa          ;   mov x0, x23
0b000094          ;   bl run
                  ; complain:
e10317aa          ;   mov x1, x23                             ; NAME: not found
1e000094          ;   bl say
01050010          ;   adr x1, absent
dffe0171          ;   cmp w22, #127
40000054          ;   b.eq reason
01050030          ;   adr x1, unfit
                  ; reason:
19000094          ;   bl say
                  ; leave:
e003162a          ;   mov w0, w22
c80b80d2          ;   mov x8, #94
010000d4          ;   svc #0
                  ; run:
fa0300aa          ;   mov x26, x0                             ; returns when it could not: 126, unless it is not there (ENOENT, ENOTDIR)
e10314aa          ;   mov x1, x20
e20315aa          ;   mov x2, x21
a81b80d2          ;   mov x8, #221
010000d4          ;   svc #0
1f080031          ;   cmn w0, #2
c0010054          ;   b.eq back
1f500031          ;   cmn w0, #20
80010054          ;   b.eq back
d60f8052          ;   mov w22, #126
1f200031          ;   cmn w0, #8
21010054          ;   b.ne back
9a0200f9          ;   str x26, [x20]                          ; no program by its first bytes (ENOEXEC): a script for the shell, as execvp has it
20020010          ;   adr x0, shell
812200d1          ;   sub x1, x20, #8
200000f9          ;   str x0, [x1]
e20315aa          ;   mov x2, x21
a81b80d2          ;   mov x8, #221
010000d4          ;   svc #0
e3ffff17          ;   b complain
                  ; back:
c0035fd6          ;   ret
                  ; say:
020080d2          ;   mov x2, #0
                  ; count:
20686238          ;   ldrb w0, [x1, x2]
60000034          ;   cbz w0, write
42040091          ;   add x2, x2, #1
fdffff17          ;   b count
                  ; write:
400080d2          ;   mov x0, #2
080880d2          ;   mov x8, #64
010000d4          ;   svc #0
c0035fd6          ;   ret
                  ; shell:
2f62696e2f736800  ;   .asciz "/bin/sh"
                  ; absent:
3a206e6f7420666f756e640a00 ; .asciz ": not found\\n"
                  ; unfit:
3a2063616e27742062652065786563757465640a00 ; .asciz ": can't be executed\\n"
`;

/** The instructions that precede it if both streams are merged. */
export const joinArm64 = `
200080d2          ;   mov x0, #1                              ; 1 and 2 become one pipe: dup3(1, 2, 0)
410080d2          ;   mov x1, #2
020080d2          ;   mov x2, #0
080380d2          ;   mov x8, #24
010000d4          ;   svc #0
`;
