# The programs that talk to a broker, ready to run. To be sourced, with the folder to work in in `work`, this folder in `clients`, and the
# sources in `java_programs`, those against the libraries of 0.10 in `old_programs`, and those against 0.9 in `older_programs`.
#
# Sets jars, old and older: the class paths of the three generations of libraries. Classes are in new, old and older below the folder, Python is
# in venv, the Go program is franz-go, and the Node program is in node.

class_path() { # POM
    mvn -q -B -f "$clients/$1" dependency:build-classpath -Dmdep.outputFile="$work/$1.path" >&2
    cat "$work/$1.path"
}

jars=$("$(dirname "$clients")/classpath.sh")
old=$(class_path pom-0.10.xml)
older=$(class_path pom-0.9.xml)
mkdir -p "$work"/{new,old,older,node}
# shellcheck disable=SC2154
{
    javac -nowarn -d "$work/new" -cp "$jars" "${java_programs[@]/#/$clients/}"
    javac -nowarn -d "$work/old" -cp "$old" "${old_programs[@]/#/$clients/}"
    javac -nowarn -d "$work/older" -cp "$older" "${older_programs[@]/#/$clients/}"
}
[ -d "$work/venv" ] || python3 -m venv "$work/venv"
"$work/venv/bin/pip" install -q -r "$clients/requirements.txt"
(cd "$clients" && go build -o "$work/franz-go" .)
cp "$clients"/{package.json,clients.mjs} "$work/node"
(cd "$work/node" && npm install --silent --no-package-lock)
