# The image of doc/compose.example.yaml: referee, and PostgreSQL for the service `db`.
FROM debian:bookworm
COPY referee_*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends \
    /tmp/referee_*.deb bubblewrap postgresql && rm -r /var/lib/apt/lists/*
