#!/bin/sh
# Tries whether the machine lets the worker start eight processes at a time, as the sandbox of a step does before the step has its own. Run by the worker
# when it looks whether a fault of the machine is over (machine/probe-machine.ts); it fails with the shell's words where one cannot be started.
: | : | : | : | : | : | : | :
