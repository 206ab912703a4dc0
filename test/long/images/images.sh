#!/usr/bin/env bash
# Builds both Dockerfiles and runs their images, as root, without a container registry or a daemon. An image serves, prints no
# key, and keeps its keys when its container is replaced by one on the same volume.
set -euo pipefail
# Mounts end with their namespace, if this machine lets us have one.
if [ -z "${IN_NAMESPACE:-}" ] && unshare --mount true 2>/dev/null; then
  IN_NAMESPACE=yes exec unshare --mount "$0"
fi
repository=$(cd "$(dirname "$0")/../../.." && pwd)
# In memory if there is room: each step of a build copies all files of an image.
place=/tmp
if [ "$(df --output=avail --block-size=1G /dev/shm | tail -1)" -gt 6 ]; then place=/dev/shm; fi
folder=$(mktemp --directory "$place/pastpaper-images-XXXXXX")
export TMPDIR=$folder BUILDAH_ISOLATION=chroot
running=
trap 'if [ -n "$running" ]; then kill -- "-$running" && wait "$running" || true; fi; rm --recursive --force "$folder"' EXIT

# Overlays are mounts, which a container may not be allowed to make, and some file systems cannot be overlaid. Then each container
# is a copy of all files.
driver=vfs
mkdir "$folder"/{lower,upper,work,merged}
if [ -n "${IN_NAMESPACE:-}" ] && mount -t overlay overlay "$folder/merged" \
  -o "lowerdir=$folder/lower,upperdir=$folder/upper,workdir=$folder/work" 2>/dev/null; then
  umount "$folder/merged"
  driver=overlay
fi
storage=(--storage-driver "$driver" --root "$folder/images" --runroot "$folder/run")
npm_cache=$(npm config get cache)
mkdir -p "$npm_cache"

fail() {
  echo "$*" >&2
  exit 1
}

build() { # NAME CONTEXT
  buildah "${storage[@]}" bud --quiet --pull-never --layers=false --format docker \
    --volume "$npm_cache:/root/.npm" --tag "$1" "$2" >/dev/null || fail "The image $1 could not be built."
}

# What both start from: Debian, Node, npm and the user `node`. Certificates and registry are those of this machine.
make_base() {
  mkdir "$folder/base"
  cd "$folder/base"
  # No more than the images need.
  mmdebstrap --quiet --variant=essential --include=passwd,libstdc++6 --dpkgopt=force-unsafe-io \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/zoneinfo/*' bookworm debian.tar &
  local node
  node=node-linux-$(node -p process.arch)
  npm install --silent --prefer-offline --no-save --ignore-scripts "$node@24" npm@11
  wait $!
  cp "${NODE_EXTRA_CA_CERTS:-/dev/null}" certificates.pem
  cat >Dockerfile <<EOF
FROM scratch
ADD debian.tar /
COPY node_modules/$node/bin/node /usr/local/bin/
COPY node_modules/npm /usr/local/lib/node_modules/npm
COPY certificates.pem /usr/local/share/
ENV NODE_EXTRA_CA_CERTS=/usr/local/share/certificates.pem NPM_CONFIG_REGISTRY=$(npm config get registry)
RUN for name in npm npx; do ln -s ../lib/node_modules/npm/bin/\$name-cli.js /usr/local/bin/\$name; done
RUN useradd --uid 1000 --create-home node
EOF
  build docker.io/library/node:24-slim .
}

free_port() {
  node -e 'const server = require("net").createServer().listen(0, () => { console.log(server.address().port); server.close(); })'
}

# Starts a container of an image, with its command, and waits until it is ready.
start() { # NAME
  container=$(buildah "${storage[@]}" from --pull-never "$1")
  port=$(free_port)
  admin_port=$(free_port)
  run=(buildah "${storage[@]}" run --user node --volume "$folder/data-$1:/srv/pastpaper/data")
  run+=(--env "PORT=$port" --env "ADMIN_PORT=$admin_port" "$container")
  local command
  command=$(buildah "${storage[@]}" inspect "$container" | node -p 'JSON.parse(fs.readFileSync(0)).Docker.config.Cmd.join(" ")')
  # shellcheck disable=SC2086
  setsid "${run[@]}" $command >"$folder/output" 2>&1 &
  running=$!
  curl --silent --fail --retry 120 --retry-delay 1 --retry-all-errors --output /dev/null \
    "http://127.0.0.1:$admin_port/readyz" || fail "The image $1 does not start: $(cat "$folder/output")"
  # It prints its address when it is ready.
  until grep --quiet 'serves release' "$folder/output"; do sleep 0.2; done
}

# Stops the container, and removes it with everything that is not on the volume.
replace() {
  kill -- "-$running"
  wait "$running" || true
  running=
  buildah "${storage[@]}" rm "$container" >/dev/null
  if grep -E '_[0-9A-Za-z]{49}' "$folder/output"; then fail 'A key was printed.'; fi
}

check() { # NAME PROGRAM PAPER
  install --directory --mode 700 --owner 1000 --group 1000 "$folder/data-$1"
  start "$1"
  local key status
  key=$("${run[@]}" node "$2" keys create --account school | grep --only-matching --max-count 1 -E '\w+_[0-9A-Za-z]{49}')
  "${run[@]}" sh "${2%build/*}docs/operations/backup.sh" /srv/pastpaper/backups | grep --quiet Copied || fail "The image $1 cannot be backed up."
  replace
  start "$1"
  status=$(curl --silent --output /dev/null --write-out '%{http_code}' -H "Authorization: Bearer $key" "http://127.0.0.1:$port/$3")
  [ "$status" = 200 ] || fail "The image $1 responds with $status to the key from before."
  if [ "$1" = pastpaper ]; then
    "${run[@]}" cat sbom.cdx.json | grep CycloneDX >/dev/null || fail 'The image has no list of its packages.'
  fi
  replace
  echo "The image $1 serves, prints no key, and keeps its keys."
}

make_base
build pastpaper "$repository"
check pastpaper build/pastpaper.js neet/2024/s1/physics.json
node "$repository/build/pastpaper.js" init "$folder/bank" >/dev/null
cd "$folder/bank"
# A production build rejects what nobody has edited.
sed --in-place 's/My question bank/School papers/; s/Exam papers over a read-only HTTP API/Papers of our school/' pastpaper.config.json
sed --in-place 's/Sample Exam/School Exam/' content/sample/exam.json
sed --in-place 's/"question": "/&Think first. /' content/sample/2025/*/*.json
npm install --silent --prefer-offline --package-lock-only --ignore-scripts
build bank .
check bank node_modules/pastpaper/build/pastpaper.js sample/2025/s1/science.json
