#!/bin/sh
# What the commands of docs/ need of Debian, where its packages are installed already: `apt-get` starts servers, `certbot` does
# nothing, and `systemctl` starts, reloads and stops units as their files say. /run/UNIT.pid has the process of a unit, and
# /var/log/UNIT.log its output. Below /srv, a unit can write only to its ReadWritePaths. Timers are not started.
set -eu

value() { # PROPERTY
  sed -n "s/^$1=//p" "$file" | sed "s/%i/${unit#*@}/g"
}

start() {
  user=$(value User)
  for folder in $(value StateDirectory | sed 's|^|/var/lib/|') $(value RuntimeDirectory | sed 's|^|/run/|'); do
    install -d -o "$user" -m 700 "$folder"
  done
  command=$(
    value WorkingDirectory | sed 's/^/cd /'
    value EnvironmentFile | sed 's/^/set -a; . /'
    value ExecStart | sed 's/^/exec /'
  )
  writable=$(value ReadWritePaths | grep '^/srv' || true)
  # shellcheck disable=SC2016
  set -- env "WRITABLE=$writable" "COMMAND=$command" unshare --mount sh -ec '
    for path in $WRITABLE; do mount --bind "$path" "$path"; done
    mount -o remount,bind,ro /srv
    exec setpriv --reuid="$0" --regid="$0" --init-groups --reset-env sh -ec "$COMMAND"' "${user:-root}"
  case $(value Type) in
    forking | oneshot) "$@" ;;
    *)
      setsid "$@" </dev/null >>"/var/log/$unit.log" 2>&1 &
      pid=$!
      echo "$pid" >"/run/$unit.pid"
      until ss --listening --tcp --numeric --processes | grep -q "pid=$pid," || [ "$unit" = bank-releases ]; do
        kill -0 "$pid" || { cat "/var/log/$unit.log" && exit 1; }
        sleep 0.1
      done
      ;;
  esac
}

stop() {
  pid=$(cat "/run/$unit.pid" 2>/dev/null) || return 0
  kill "$pid"
  while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
  rm -f "/run/$unit.pid"
}

start_postgres() {
  install -d -o postgres /run/postgresql
  cd /var/lib/postgresql
  program=$(echo /usr/lib/postgresql/*/bin | tail -n 1)
  runuser -u postgres -- "$program/initdb" --no-sync --auth-local=peer --auth-host=scram-sha-256 bank
  runuser -u postgres -- "$program/pg_ctl" start --wait --log=bank.log --pgdata=bank --options='-k /run/postgresql'
}

name=${0##*/}
verb=$1
shift
for argument; do
  unit=${argument%.service}
  case $name,$verb,$unit in
    certbot,* | *,--now | *.timer) ;;
    apt-get,install,nginx) systemctl start nginx ;;
    apt-get,install,redis-server) chown redis: /var/lib/redis && systemctl start redis-server ;;
    apt-get,install,postgresql) start_postgres ;;
    apt-get,*) ;;
    *)
      file=/etc/systemd/system/${unit%%@*}.service
      case $unit in *@*) file=/etc/systemd/system/${unit%%@*}@.service ;; esac
      [ -e "$file" ] || file=/lib/systemd/system/$unit.service
      case $verb in
        enable | start) start ;;
        disable | stop) stop ;;
        restart) stop && start ;;
        reload) MAINPID=$(cat "/run/$unit.pid") sh -ec "$(value ExecReload)" ;;
      esac
      ;;
  esac
done
