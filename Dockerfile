# An image of nothing but the executable and the C library: no shell, no root.
#
#   docker build --tag outrider --build-arg COMMIT="$(git rev-parse --short=12 HEAD)" .
#   docker run --rm -p 127.0.0.1:8480:8480 -v outrider:/data outrider

FROM node:22-bookworm-slim AS build
ARG TARGETARCH=amd64
ARG COMMIT=unknown
WORKDIR /source
COPY . .
RUN case "$TARGETARCH" in amd64) cpu=x64 ;; *) cpu=$TARGETARCH ;; esac \
  && COMMIT="$COMMIT" RELEASE="bun-linux-$cpu" ./build.sh release \
  && mkdir -p /image/data \
  && cp "dist/release/outrider-linux-$cpu" /image/outrider \
  && cp "dist/release/outrider-linux-$cpu.map.gz" /image/outrider.map.gz \
  && cp dist/release/THIRD-PARTY.txt LICENSE /image/

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build --chown=65532:65532 /image /
USER 65532:65532
VOLUME /data
EXPOSE 8480
ENV OUTRIDER_DATA=/data OUTRIDER_HOST=0.0.0.0 OUTRIDER_LOG_FORMAT=json
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["/outrider", "wait", "--timeout", "5"]
ENTRYPOINT ["/outrider"]
CMD ["serve"]
