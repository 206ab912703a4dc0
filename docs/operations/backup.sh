#!/bin/sh
# Backs up accounts, keys and usage into a folder, and removes backups there that are older than 30 days. Run it in the folder
# of the bank and with its settings: sh backup.sh FOLDER
set -eu
umask 077
file=$1/pastpaper-$(date -u +%Y-%m-%dT%H%M%SZ)
case ${DATABASE_URL:-} in
  postgres*)
    # A backup that fails leaves no file behind that looks like one.
    pg_dump --format=custom --file="$file.part" "$DATABASE_URL"
    mv "$file.part" "$file.dump"
    ;;
  *) node "$(dirname "$0")/../../build/pastpaper.js" backup "$file.db" ;;
esac
find "$1" -name 'pastpaper-*' -mtime +30 -delete
