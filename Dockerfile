# ptyd in a container: the server, its page, and a shell for it to start.
#
#   docker build -t ptyd .
#   docker run -p 127.0.0.1:7681:7681 -v ptyd:/var/lib/ptyd ptyd                prints the address to open
#   docker run -p 127.0.0.1:7681:7681 -v ptyd:/var/lib/ptyd ptyd serve --help   further options go behind `serve`

FROM debian:bookworm-slim AS tools
ENV DEBIAN_FRONTEND=noninteractive
# Empty, unless somebody builds often: with ccache.
ARG MORE_PACKAGES
RUN apt-get -o Acquire::Retries=5 update && apt-get -o Acquire::Retries=5 install -y --no-install-recommends \
      ca-certificates cmake g++ libboost1.81-dev libcli11-dev libfmt-dev libspdlog-dev libssl-dev libvterm-dev \
      ninja-build nodejs npm pkg-config zlib1g-dev ${MORE_PACKAGES} && \
    rm -rf /var/lib/apt/lists/* /var/cache/apt/*

FROM debian:bookworm-slim AS runtime
RUN apt-get -o Acquire::Retries=5 update && DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=5 install -y --no-install-recommends libfmt9 libspdlog1.10 libssl3 && \
    rm -rf /var/lib/apt/lists/* /var/cache/apt/* && \
    useradd --create-home --shell /bin/bash ptyd && \
    install -d -o ptyd -g ptyd -m 700 /var/lib/ptyd

FROM tools AS build
# Settings of ccache, for a builder that mounts its folder.
ARG CCACHE_BASEDIR
ARG CCACHE_NOHASHDIR
ARG CCACHE_SLOPPINESS
WORKDIR /src
COPY web/package.json web/package-lock.json web/
RUN cd web && npm ci --omit=dev --ignore-scripts --no-audit --no-fund --fetch-retries=5
COPY . .
RUN cd web && npm run build
RUN cmake --preset release && cmake --build --preset release && strip build/release/ptyd

FROM runtime
COPY --from=build /src/build/release/ptyd /usr/local/bin/ptyd
COPY --from=build /src/web/dist /usr/local/share/ptyd/web

# Shells are ordinary users' shells: UTF-8, a home, no root.
ENV LANG=C.UTF-8 SHELL=/bin/bash HOME=/home/ptyd
USER ptyd
WORKDIR /home/ptyd
VOLUME /var/lib/ptyd
EXPOSE 7681
STOPSIGNAL SIGTERM
# Finds the server by PTYD_STATE_DIR, wherever it listens, with TLS or without.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s CMD ["ptyd", "health"]
# Not in CMD, which arguments of `docker run` replace. An option counts more; shells do not get these variables.
ENV PTYD_LISTEN=0.0.0.0:7681 PTYD_STATE_DIR=/var/lib/ptyd
# As PID 1 ptyd also reaps what its shells leave behind. The token is made at first start and kept in the volume.
ENTRYPOINT ["ptyd"]
CMD ["serve"]
