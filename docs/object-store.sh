#!/bin/sh
# Fills an object store that speaks S3 with the public responses of a release.
# Usage: AWS_ACCESS_KEY_ID=... AWS_SECRET_ACCESS_KEY=... AWS_REGION=... object-store.sh RELEASE BUCKET_URL
set -eu
release=$1
bucket=$2

tail -n +2 "$release/hosts/objects.tsv" | while IFS="$(printf '\t')" read -r key file type cache encoding size sha256; do
  # One coding of each key: every client accepts identity.
  [ "$encoding" = identity ] || continue
  # Not --upload-file, which lengthens a key that ends in a slash by the file's name.
  curl --fail --silent --show-error --output /dev/null --request PUT --data-binary "@$release/$file" \
    --aws-sigv4 "aws:amz:$AWS_REGION:s3" --user "$AWS_ACCESS_KEY_ID:$AWS_SECRET_ACCESS_KEY" \
    --header "x-amz-content-sha256: $sha256" --header "Content-Type: $type" --header "Cache-Control: $cache" \
    "$bucket/$key" </dev/null || { echo "$key ($size bytes) was not taken." >&2; exit 1; }
done
