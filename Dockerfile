# One image for the build, the gateway and the authentication service: the command says which.
#
#   docker build -t pastpaper .
#   docker run -p 127.0.0.1:8080:8080 pastpaper

FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts
# The software bill of materials: docker run --rm pastpaper cat sbom.cdx.json
COPY test/sbom.js test/
RUN node test/sbom.js >sbom.cdx.json
COPY tsconfig.json ./
COPY build build
COPY gateway gateway
COPY content content

# In a container nothing reaches loopback; what it listens at is published by the one who runs it.
ENV HOST=0.0.0.0 PORT=8080 ADMIN_PORT=9090 DIST_DIR=/srv/pastpaper/dist DATA_DIR=/srv/pastpaper/data
RUN mkdir -p /srv/pastpaper/dist /srv/pastpaper/data node_modules/.cache/pastpaper && \
  chown -R node:node /srv/pastpaper node_modules/.cache
USER node
# Compiles the program into node_modules/.cache/pastpaper, and builds the sample bank, which a volume can replace.
RUN node build/pastpaper.js build
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=3s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.ADMIN_PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "build/pastpaper.js", "gateway"]
