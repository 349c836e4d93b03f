#!/bin/sh
# shellcheck shell=dash # busybox runs it, whose shell is nearest to this one
# Waits until the collector of a pod is ready for steps. It is the hook of the container `collector` (kubernetes/pod/pod-spec.ts): the
# cluster starts the next container after it.
until [ -e /run/millrace/control/ready ]; do sleep 0.01; done
