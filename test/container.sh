#!/usr/bin/env bash
# Builds the image of the Dockerfile without an image registry, runs it as its user with a read-only root, and makes the
# first booking against it. Needs root and Debian's buildah and mmdebstrap. Prints the image's size and start time.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=$(mktemp -d)
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
# Images and layers are stored in the folder of this run, so that the base image made here replaces no real one.
printf '[storage]\ndriver = "vfs"\ngraphroot = "%s/graph"\nrunroot = "%s/run"\n' "$work" "$work" >"$work/storage.conf"
export CONTAINERS_STORAGE_CONF=$work/storage.conf
run=
image=daybook-test-$$
base=docker.io/library/node:26-bookworm-slim

cleanup() {
  [ -z "$run" ] || kill "$run" 2>/dev/null || true
  wait 2>/dev/null || true
  if mountpoint -q "$work/root"; then umount -R "$work/root"; fi
  [ -z "${container:-}" ] || buildah rm "$container" >/dev/null 2>&1 || true
  buildah rmi "$image" >/dev/null 2>&1 || true
  rm -rf --one-file-system "$work"
}
trap cleanup EXIT

echo 'Building the base image: Debian, the locked Node, npm …'
mkdir "$work/base"
mmdebstrap --quiet --variant=minbase --include=ca-certificates,libatomic1 bookworm "$work/base/base.tar"
node -e "process.stdout.write(require.resolve('node-linux-' + process.arch + '/bin/node'))" >"$work/node-path"
cp "$(cat "$work/node-path")" "$work/base/node"
# The folder of npm, found by its program: `npm root -g` names the folder of whichever Node comes first in the PATH.
cp -rL "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$work/base/npm"
cat >"$work/base/Dockerfile" <<'BASE'
FROM scratch
ADD base.tar /
# The authorities that this machine trusts, mounted during the build.
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && chmod 755 /usr/local/bin/node && useradd --create-home node
BASE
buildah bud --quiet --tag "$base" "$work/base" >/dev/null

echo 'Building the image …'
# The build reaches the same npm registry, by the same way, as this machine.
volumes=()
[ ! -f "$HOME/.npmrc" ] || volumes+=(--volume "$HOME/.npmrc:/root/.npmrc:ro")
[ ! -f /etc/ssl/certs/ca-certificates.crt ] || volumes+=(--volume /etc/ssl/certs/ca-certificates.crt:/etc/ssl/certs/ca-certificates.crt:ro)
buildah bud --quiet --pull-never --tag "$image" "${volumes[@]}" "$root" >/dev/null

echo 'Running it as its user, with a read-only root …'
container=$(buildah from --pull-never "$image")
mounted=$(buildah mount "$container")
bytes=$(du -sb "$mounted" | cut -f1)
user=$(buildah inspect --format '{{.OCIv1.Config.User}}' "$container")
mapfile -t command < <(buildah inspect --format '{{range .OCIv1.Config.Cmd}}{{println .}}{{end}}' "$container" | sed '/^$/d')
mapfile -t environment < <(buildah inspect --format '{{range .OCIv1.Config.Env}}{{println .}}{{end}}' "$container" | sed '/^$/d')
mkdir -p "$work/root"
mount --bind "$mounted" "$work/root"
mount -o remount,bind,ro "$work/root"
mount -t tmpfs tmpfs "$work/root/data"
mount -t tmpfs tmpfs "$work/root/tmp"
mount -t proc proc "$work/root/proc"
mount -t tmpfs tmpfs "$work/root/dev"
for device in null zero random urandom; do
  touch "$work/root/dev/$device"
  mount --bind "/dev/$device" "$work/root/dev/$device"
done
chroot "$work/root" chown "$user" /data
chmod 700 "$work/root/data"
chmod 1777 "$work/root/tmp"
port=$((20000 + RANDOM % 20000))
enter=(chroot --userspec="$user:$user" "$work/root" /usr/bin/env -i "${environment[@]}" DAYBOOK_PORT=$port HOME=/tmp /bin/sh -c 'cd /app && exec "$@"' sh)
since=$(date +%s%N)
# Without a function around it, so that the process id is that of the service.
"${enter[@]}" "${command[@]}" >"$work/log" 2>&1 &
run=$!
until curl -fsS "http://127.0.0.1:$port/health/ready" >/dev/null 2>&1; do
  kill -0 "$run" || { cat "$work/log"; exit 1; }
done
milliseconds=$((($(date +%s%N) - since) / 1000000))

"${enter[@]}" node bin/daybook.js apply examples/clinic.json >/dev/null
token=$("${enter[@]}" node bin/daybook.js token create --name First --scope write)
api="http://127.0.0.1:$port/api/v1"
ask() { curl -fsS -H "Authorization: Bearer $token" "$@"; }
id() { node -e "let text = ''; process.stdin.on('data', (part) => (text += part)).on('end', () => console.log(eval('(JSON.parse(text))' + process.argv[1])))" "$1"; }
customer=$(ask -H 'Content-Type: application/json' -d '{"name":"Jo","email":"jo@example.com"}' "$api/customers/add/" | id .id)
now=$(date +%s)
body=$(ask "$api/availability/get/?min_timestamp=$now&max_timestamp=$((now + 14 * 86400))" | CUSTOMER=$customer node -e "
  let text = ''
  process.stdin.on('data', (part) => (text += part)).on('end', () => {
    const { availabilityId, serviceId, providerId, start, end } = JSON.parse(text).response[0]
    console.log(JSON.stringify({ availabilityId, serviceId, providerId, start, end, customerId: process.env.CUSTOMER }))
  })")
ask -H 'Content-Type: application/json' -d "$body" "$api/reservations/add/" | id .id >"$work/reservation"
[ -s "$work/reservation" ]
if "${enter[@]}" /bin/sh -c 'echo x > /app/written' 2>/dev/null; then echo 'The root is writable.' >&2; exit 1; fi
echo "First booking made: $(cat "$work/reservation"). Image: $((bytes / 1000000)) MB unpacked, ready after $milliseconds ms."
