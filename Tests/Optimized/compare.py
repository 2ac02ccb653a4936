#!/usr/bin/env python3
"""Checks that the programs do the same with optimization as without: compare.py DEBUG RELEASE, two folders with programs

The tests run programs without optimization, users run programs with it. A pointer that outlives what it points to reads the right
bytes in one build and anything in the other. So both builds import the sample feed, names of stops in 16 encodings that Python writes, and
the zips of at most 300 kB in the folder that GTFS_FEEDS names. The stores must be the same, byte by byte, the names must be those
that Python wrote, and both builds of fetch-gtfs must answer the same about these stores.
"""
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import zipfile

SAMPLE = pathlib.Path(__file__).resolve().parents[2] / "pipelines/sample-feed"
LARGEST_ZIP = 300_000
# Stop names by Python's name of the encoding.
NAMES = {
    "cp1252": "Köpenicker Straße;Hôtel de Ville;Olsøya;Øvre Årdal;Überlingen;Château Rouge;Ytterøy;Hölderlinplatz;Étoile;Håkvik",
    "iso8859_2": "Łódź Fabryczna;Rondo Wielkopolskie;Błonie;Świętojańska;Żwirki i Wigury;Plac Wolności;Dworzec Główny;Przyjaźni",
    "cp1250": "Náměstí Míru;Hlavní nádraží;Můstek;Křižíkova;Nový Smíchov;Plzeň hlavní nádraží;Žižkov;Vyšehrad;Budějovická",
    "cp1251": "Площа Незалежності;Вокзальна;Університет;Театральна;Золоті ворота;Контрактова площа;Майдан;Київська",
    "koi8_u": "Площа Незалежності;Вокзальна;Університет;Театральна;Золоті ворота;Контрактова площа;Майдан;Київська",
    "cp1253": "Σύνταγμα;Ομόνοια;Πειραιάς;Κηφισιά;Μοναστηράκι;Ακρόπολη;Νέος Κόσμος;Άγιος Δημήτριος;Πανεπιστήμιο",
    "cp1254": "Taksim Meydanı;Kadıköy İskelesi;Beşiktaş;Üsküdar;Mecidiyeköy;Şişhane;Bağcılar Meydan;Göztepe;Çağlayan",
    "cp1255": "תל אביב מרכז;ירושלים;חיפה חוף הכרמל;באר שבע;נתניה;הרצליה;תחנה מרכזית;שדרות;אשקלון;רחובות",
    "cp1257": "Žaliasis tiltas;Šv. Petro ir Povilo bažnyčia;Žvėrynas;Lukiškės;Šeškinė;Fabijoniškės;Kėdainiai",
    "shift_jis": "東京駅八重洲口;新宿三丁目;市役所前;高岡駅;小学校前;公民館;病院前;アピタ前;ふれあい通り;中央町",
    "euc_jp": "東京駅八重洲口;新宿三丁目;市役所前;高岡駅;小学校前;公民館;病院前;アピタ前;ふれあい通り;中央町",
    "gb18030": "北京西站;天安门东;上海虹桥站;人民广场;广州南站;深圳北站;体育西路;客运中心;成都东站;春熙路",
    "big5": "台北車站;西門町;國父紀念館;忠孝復興;中正紀念堂;淡水老街;臺灣大學醫院;松山機場;高雄火車站;板橋",
    "euc_kr": "서울역;시청;종각;강남역;부산역;대전복합터미널;광화문;동대문역사문화공원;인천국제공항;수원시청",
    "utf_8": "Köln Süd;東京;서울역;Площа;Σύνταγμα;ירושלים;สถานี;e\u0301;😀;L'Hospitalet",
    "utf_16": "Köln Süd;東京;서울역;Площа;Σύνταγμα;ירושלים;สถานี;e\u0301;😀;L'Hospitalet",
}


FETCHES = [
    ["info", "--format", "json"],
    ["check"],
    ["search", "stop"],
    ["near", "50,8", "--limit", "5"],
    ["fetch", "Stop", "--format", "jsonl"],
    ["fetch", "StopTime", "--format", "csv"],
    ["departures", "faehrhafen", "--from", "2026-07-31T17:00", "--within", "10h"],
]


def feed_of_names(path, encoding, names):
    """The sample feed with stops of these names besides its own."""
    with zipfile.ZipFile(path, "w") as feed:
        for file in sorted(SAMPLE.iterdir()):
            if file.name != "stops.txt":
                feed.write(file, file.name)
        ids = [line.split(",")[0] for line in (SAMPLE / "stops.txt").read_text().splitlines()[1:]]
        rows = [f"{stop},Stop {number},50.0,8.0" for number, stop in enumerate(ids)]
        rows += [f"name{number},{name},50.0,8.0" for number, name in enumerate(names)]
        feed.writestr("stops.txt", "\n".join(["stop_id,stop_name,stop_lat,stop_lon"] + rows + [""]).encode(encoding))


def store(programs, feed, out):
    """The exit code, and the store's bytes if one was published."""
    out.unlink(missing_ok=True)
    code = subprocess.run([programs / "import-gtfs", "--force", "--quiet", feed, out], capture_output=True).returncode
    return code, out.read_bytes() if out.exists() else b""


def fetched(programs, out, command):
    ran = subprocess.run([programs / "fetch-gtfs", out, *command], capture_output=True)
    return ran.returncode, ran.stdout, ran.stderr


def stored_names(out):
    with sqlite3.connect(out) as connection:
        return [name for name, in connection.execute("SELECT name FROM stop WHERE stop_id LIKE 'name%' ORDER BY id")]


def agencies_feeds():
    folder = os.environ.get("GTFS_FEEDS")
    zips = pathlib.Path(folder).rglob("*.zip") if folder else []
    return sorted(feed for feed in zips if feed.stat().st_size <= LARGEST_ZIP)


def differences(debug, release, feed, names, out):
    """What differs; `names` are those that the store must have, None for an agency's feed, which may be refused."""
    expected, found = store(debug, feed, out), store(release, feed, out)
    if expected != found:
        yield f"exit codes {expected[0]} and {found[0]}, stores differ"
    if names is None:
        return
    if found[0] != 0:
        yield f"refused with {found[0]}"
        return
    if stored_names(out) != names:
        yield f"names are {stored_names(out)[:3]}, not {names[:3]}"
    for command in FETCHES:
        expected, found = fetched(debug, out, command), fetched(release, out, command)
        if expected != found or found[0] != 0 or not found[1]:
            yield f"{' '.join(command)}: exit codes {expected[0]} and {found[0]}, {found[1][:60]!r}, not {expected[1][:60]!r}"


def main(debug, release):
    programs = pathlib.Path(debug), pathlib.Path(release)
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        feeds = [(SAMPLE, [])]
        for encoding, names in NAMES.items():
            feed = pathlib.Path(folder) / f"{encoding}.zip"
            feed_of_names(feed, encoding, names.split(";"))
            feeds.append((feed, names.split(";")))
        feeds += [(feed, None) for feed in agencies_feeds()]
        for feed, names in feeds:
            for difference in differences(*programs, feed, names, pathlib.Path(folder) / "store.sqlite"):
                failures += 1
                print(f"{feed.name}: {difference}")
    print(f"{len(feeds)} feeds, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
