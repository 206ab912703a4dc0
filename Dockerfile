# An image for the build, the gateway and the authentication service. The command selects one.
#
#   docker build -t pastpaper .                      with the sample bank, built
#   docker build -t pastpaper --target gateway .     without a bank: a volume has the release
#   docker run -p 127.0.0.1:8080:8080 -v pastpaper:/srv/pastpaper/data pastpaper
#
# A bank that `pastpaper init` created has a Dockerfile of its own.

FROM node:24-slim AS package
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json README.md LICENSE CHANGELOG.md CONTRIBUTING.md SECURITY.md ./
COPY build build
COPY gateway gateway
COPY content content
COPY docs docs
RUN npm pack && mkdir /package && tar --extract --file pastpaper-*.tgz --directory /package --strip-components 1

FROM node:24-slim AS gateway
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
# The software bill of materials: docker run --rm pastpaper cat sbom.cdx.json
COPY test/sbom.js test/
RUN node test/sbom.js >sbom.cdx.json
COPY --from=package /package ./
# 127.0.0.1 is not reachable from outside the container. `docker run -p` decides which address is.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 ADMIN_PORT=9090 DIST_DIR=/srv/pastpaper/dist DATA_DIR=/srv/pastpaper/data
RUN mkdir -p /srv/pastpaper/dist /srv/pastpaper/backups && mkdir -m 700 /srv/pastpaper/data && chown -R node:node /srv/pastpaper
USER node
# Accounts, keys and usage are here. Name the volume, so that the next container has them, too.
VOLUME /srv/pastpaper/data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ADMIN_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "build/pastpaper.js", "gateway"]

FROM gateway AS bank
COPY pastpaper.config.json ./
COPY content content
RUN DATA_DIR=/tmp/data node build/pastpaper.js build && rm -r /tmp/data
