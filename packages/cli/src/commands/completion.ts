import { Argument, type Command } from "commander";
import { write } from "../output/terminal.ts";
import { exampleCommand } from "./client-command.ts";

/** Each script asks the program itself for completions, so that it never becomes outdated. If there are none, files are completed. */
const scripts = {
  bash: `_millrace() {
  local IFS=$'\\n'
  COMPREPLY=($(millrace __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _millrace millrace
`,
  zsh: `#compdef millrace
_millrace() {
  local -a found
  found=("\${(@f)$(millrace __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[*]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
if [[ "\${funcstack[1]}" == _millrace ]]; then _millrace; else compdef _millrace millrace; fi
`,
  fish: `function __millrace_complete
  set -l words (commandline -opc)
  set -l found (millrace __complete $words[2..-1] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c millrace -f -a '(__millrace_complete)'
`,
} as const;

/** `millrace completion SHELL` */
export function completionCommand(): Command {
  return exampleCommand("completion", "Write a completion script for a shell: commands, options and names", [
    "completion bash > ~/.local/share/bash-completion/completions/millrace",
    'completion zsh > "${fpath[1]}/_millrace"',
    "completion fish > ~/.config/fish/completions/millrace.fish",
  ])
    .addArgument(new Argument("<SHELL>", "the shell").choices(Object.keys(scripts)))
    .action((shell: keyof typeof scripts) => write(scripts[shell]));
}
