#!/bin/sh
# /usr/local/bin/bank: runs a command as the user of the bank, in its folder and with its settings: bank npx pastpaper doctor
set -ae
. /etc/bank.env
cd /srv/bank/my-bank
exec runuser -u bank -- "$@"
