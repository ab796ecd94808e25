FROM node:26-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --no-audit --no-fund

FROM node:26-bookworm-slim AS panel
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node bin/build-panel.js

FROM node:26-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production DAYBOOK_HOST=0.0.0.0 DAYBOOK_DATA_DIR=/data NODE_COMPILE_CACHE=/data/.compiled
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY bin ./bin
COPY src ./src
COPY web ./web
COPY --from=panel /app/dist ./dist
COPY examples ./examples
RUN install -d -o node -g node -m 0700 /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/daybook.js", "serve"]
