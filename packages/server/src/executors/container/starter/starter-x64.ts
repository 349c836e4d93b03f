/** `starter.ts` for x86-64: the bytes of each instruction, and the instruction. */
export const startX64 = `
                  ; start:
4889e3            ;   mov rbx, rsp
4531f6            ;   xor r14d, r14d
488b0b            ;   mov rcx, [rbx]                          ; r12: environment; rbp: program and arguments; r13: its name; r14: exit code
4c8d64cb10        ;   lea r12, [rbx + rcx*8 + 16]
488d6b10          ;   lea rbp, [rbx + 16]
4c8b6d00          ;   mov r13, [rbp]
4d85ed            ;   test r13, r13                           ; asked for nothing: 0
0f84aa000000      ;   je leave
41be7f000000      ;   mov r14d, 127
4c89ee            ;   mov rsi, r13                            ; a name with a slash is a path
                  ; slash:
ac                ;   lodsb
3c2f              ;   cmp al, 47
7473              ;   je direct
84c0              ;   test al, al
75f7              ;   jne slash
4d89e7            ;   mov r15, r12                            ; r15: what is left of PATH
                  ; variable:
498b37            ;   mov rsi, [r15]
4983c708          ;   add r15, 8
4885f6            ;   test rsi, rsi
7468              ;   je complain
813e50415448      ;   cmp dword ptr [rsi], 0x48544150
75ec              ;   jne variable
807e043d          ;   cmp byte ptr [rsi + 4], 61
75e6              ;   jne variable
4c8d7e05          ;   lea r15, [rsi + 5]
4881ec00200000    ;   sub rsp, 8192
                  ; folder:
4889e7            ;   mov rdi, rsp                            ; one folder of it, as far as 4096 bytes go
488d942400100000  ;   lea rdx, [rsp + 4096]
                  ; letter:
418a07            ;   mov al, [r15]
84c0              ;   test al, al
740f              ;   je name
49ffc7            ;   inc r15
3c3a              ;   cmp al, 58
7408              ;   je name
4839d7            ;   cmp rdi, rdx
73ed              ;   jae letter
aa                ;   stosb
ebea              ;   jmp letter
                  ; name:
88c3              ;   mov bl, al                              ; bl: 0 after the last folder; an empty folder is the current one
4839e7            ;   cmp rdi, rsp
7403              ;   je current
b02f              ;   mov al, 47
aa                ;   stosb
                  ; current:
4c89ee            ;   mov rsi, r13                            ; its name behind it
                  ; append:
4839d7            ;   cmp rdi, rdx
730e              ;   jae next
ac                ;   lodsb
aa                ;   stosb
84c0              ;   test al, al
75f5              ;   jne append
4889e7            ;   mov rdi, rsp                            ; execve; another folder is tried when it is not there
e839000000        ;   call run
                  ; next:
84db              ;   test bl, bl
75bb              ;   jne folder
eb08              ;   jmp complain
                  ; direct:
4c89ef            ;   mov rdi, r13
e82b000000        ;   call run
                  ; complain:
4c89ee            ;   mov rsi, r13                            ; NAME: not found
e861000000        ;   call say
488d357b000000    ;   lea rsi, [rip + absent]
4183fe7f          ;   cmp r14d, 127
7407              ;   je reason
488d357b000000    ;   lea rsi, [rip + unfit]
                  ; reason:
e848000000        ;   call say
                  ; leave:
4489f7            ;   mov edi, r14d
b8e7000000        ;   mov eax, 231
0f05              ;   syscall
                  ; run:
4889ee            ;   mov rsi, rbp                            ; returns when it could not: 126, unless it is not there (ENOENT, ENOTDIR)
4c89e2            ;   mov rdx, r12
b83b000000        ;   mov eax, 59
0f05              ;   syscall
83f8fe            ;   cmp eax, -2
742b              ;   je back
83f8ec            ;   cmp eax, -20
7426              ;   je back
41be7e000000      ;   mov r14d, 126
83f8f8            ;   cmp eax, -8
751b              ;   jne back
48897d00          ;   mov [rbp], rdi                          ; no program by its first bytes (ENOEXEC): a script for the shell, as execvp has it
488d3d2a000000    ;   lea rdi, [rip + shell]
488d75f8          ;   lea rsi, [rbp - 8]
48893e            ;   mov [rsi], rdi
b83b000000        ;   mov eax, 59
0f05              ;   syscall
eb98              ;   jmp complain
                  ; back:
c3                ;   ret
                  ; say:
31d2              ;   xor edx, edx
                  ; count:
803c1600          ;   cmp byte ptr [rsi + rdx], 0
7404              ;   je write
ffc2              ;   inc edx
ebf6              ;   jmp count
                  ; write:
bf02000000        ;   mov edi, 2
b801000000        ;   mov eax, 1
0f05              ;   syscall
c3                ;   ret
                  ; shell:
2f62696e2f736800  ;   .asciz "/bin/sh"
                  ; absent:
3a206e6f7420666f756e640a00 ; .asciz ": not found\\n"
                  ; unfit:
3a2063616e27742062652065786563757465640a00 ; .asciz ": can't be executed\\n"
`;

/** The instructions that precede it if both streams are merged. */
export const joinX64 = `
bf01000000        ;   mov edi, 1                              ; 1 and 2 become one pipe: dup2(1, 2)
be02000000        ;   mov esi, 2
b821000000        ;   mov eax, 33
0f05              ;   syscall
`;
