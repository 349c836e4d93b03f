#!/bin/sh
# Tests whether the machine lets the worker start eight processes at a time, as the sandbox of a step does before the step has its own. Run
# by the worker when it checks whether a fault of the machine has passed (machine/machine-watch.ts); fails with the shell's message if one
# can't be started.
: | : | : | : | : | : | : | :
