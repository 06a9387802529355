# shellcheck shell=bash
# Builds web/ into web/dist, and only when something it is made of has changed. Sourced after steps.sh.

page_inputs() {
  find "$root/web" \( -name node_modules -o -name dist -o -name out -o -name pictures \) -prune -o -type f -print0 | sort -z |
    xargs -0 sha256sum
}

# npm_install FOLDER [--omit=dev]: its node_modules as the lock file says, unless they already are (or are more).
npm_install() {
  local folder=$1 stamp
  shift
  stamp="$(sha256sum <"$folder/package-lock.json") $(node --version)"
  case $(cat "$folder/node_modules/.stamp" 2>/dev/null) in "$stamp" | "$stamp $*") return 0 ;; esac
  (cd "$folder" && again 3 npm ci "$@" --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=5 --fetch-retry-maxtimeout=120000) &&
    echo "$stamp${*:+ $*}" >"$folder/node_modules/.stamp"
}

npm_install_all() { # FOLDER...
  local folder
  for folder in "$@"; do npm_install "$folder" || return 1; done
}

make_page() { npm_install "$root/web" --omit=dev && cd "$root/web" && npm run build; }

build_page() {
  local stamp=$root/build/page.stamp now
  now=$(page_inputs | sha256sum)
  [[ -f $root/web/dist/index.html && $(cat "$stamp" 2>/dev/null) == "$now" ]] && return 0
  step page "Building the page" make_page || return 1
  echo "$now" >"$stamp"
}
