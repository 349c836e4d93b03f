#!/usr/bin/env bash
# Builds the programs of a Kubernetes cluster from Debian's source package `kubernetes`, the full tree of 1.20.2 with all it depends on:
# no other registry is asked. About 5 minutes on two processors, 2.7 GB of disk while it works, 360 MB of result.
#
#   build.sh FOLDER    leaves kube-apiserver, kube-controller-manager, kube-scheduler and kubelet in the folder
#
# It needs Debian 12 with golang-1.19-go, rsync, jq, make and gcc; `binaries.mjs` sees to them and caches the result.
set -euo pipefail
result=$1
folder=$(mktemp -d "${TMPDIR:-/tmp}/millrace-kubernetes-XXXXXX")
trap 'chmod -R u+w "$folder" && rm -rf "$folder"' EXIT
cd "$folder"

# Package lists of our own: those of the machine need not have sources, and stay unchanged.
mkdir -p apt/lists/partial apt/cache/archives/partial
mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' | sed -n 's/ bookworm main$//p' | head -n 1)
keys=/usr/share/keyrings/debian-archive-keyring.gpg
echo "deb-src [signed-by=$keys] ${mirror:-http://deb.debian.org/debian} bookworm main" >apt/sources.list
options=(-qq -o Acquire::Retries=3 -o Dir::Etc::sourcelist="$PWD/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o Dir::State::lists="$PWD/apt/lists" -o Dir::Cache="$PWD/apt/cache" -o APT::Sandbox::User=)
apt-get "${options[@]}" update
apt-get "${options[@]}" source --download-only kubernetes
tar -xf kubernetes_*.orig.tar.*
cd kubernetes-1.20.2

# The tree is an archive, not a clone: the version comes from a file.
cat >../version <<'END'
KUBE_GIT_COMMIT='faecb196815e248d3ecfb03c680a4507229c2a56'
KUBE_GIT_TREE_STATE='archive'
KUBE_GIT_VERSION='v1.20.2'
KUBE_GIT_MAJOR='1'
KUBE_GIT_MINOR='20'
END
mkdir -p .go/src/k8s.io
ln -sfn ../../.. .go/src/k8s.io/kubernetes
# Newer versions of Go refuse this tree. The compiler's own cache goes with the folder.
export PATH=/usr/lib/go-1.19/bin:/usr/sbin:/usr/bin:/sbin:/bin GOTOOLCHAIN=local GOPROXY=off GOFLAGS='' GO111MODULE=''
export CGO_ENABLED=0 GOPATH=$PWD/.go GOCACHE=$folder/cache KUBE_GIT_VERSION_FILE=$folder/version
make generated_files
make WHAT="cmd/kube-apiserver cmd/kube-controller-manager cmd/kube-scheduler cmd/kubelet"
mkdir -p "$result"
cp -L _output/bin/kube-apiserver _output/bin/kube-controller-manager _output/bin/kube-scheduler _output/bin/kubelet "$result"
