// The departures of a stop or station from an instant on, across midnights, clock changes and time zones.
//
//     node departures.mjs STORE STOP_ID 2026-10-25T00:30:00+02:00 SECONDS [arrivals]
//
// With node:sqlite (Node 22.5 or later).
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

const [path, stop, from, seconds, what = "departures"] = process.argv.slice(2);
const store = new DatabaseSync(path, { readOnly: true });
if (!store.prepare("SELECT 1 FROM stop WHERE stop_id = ?").get(stop)) throw `the feed has no stop ${stop}`;
const query = store.prepare(readFileSync(new URL(`../${what}.sql`, import.meta.url), "utf8"));
const column = what.slice(0, -1) + "_time";
const start = Math.floor(Date.parse(from) / 1000);
const end = start + Number(seconds);
if (Number.isNaN(end)) throw `${from} is no instant with an offset from UTC, or ${seconds} no number of seconds`;

/** What the clock of a zone shows at an instant, as if it were UTC. */
function clock(zone, instant) {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric", hour: "numeric",
    minute: "numeric", second: "numeric",
  });
  const part = Object.fromEntries(format.formatToParts(instant * 1000).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second) / 1000;
}

/** Noon minus 12 hours of a day, which is given as its midnight in UTC. */
function begin(zone, day) {
  const noon = day + 43200;
  const guess = noon - (clock(zone, noon) - noon);
  return noon - (clock(zone, guess) - guess) - 43200;
}

const { latest, earliest } = store.prepare("SELECT ifnull(latest_time, 0) AS latest, earliest_time AS earliest FROM feed").get();
const found = [];
for (const { timezone } of store.prepare("SELECT timezone FROM route UNION SELECT timezone FROM feed").all()) {
  const midnight = (instant) => Math.floor(clock(timezone, instant) / 86400) * 86400;
  for (let day = midnight(start - latest) - 86400; day <= midnight(end - earliest) + 86400; day += 86400) {
    const zero = begin(timezone, day);
    const date = Number(new Date(day * 1000).toISOString().slice(0, 10).replaceAll("-", ""));
    const values = { stop_id: stop, date, from_time: start - zero, until_time: end - zero };
    for (const row of query.all(values)) {
      if (row.timezone === timezone) found.push({ ...row, instant: zero + row[column], service_date: date });
    }
  }
}
const order = ["instant", "route", "trip", "stop_sequence", "service_date"];
found.sort((a, b) => order.reduce((sign, name) => sign || a[name] - b[name], 0));
for (const row of found) {
  const instant = new Date(row.instant * 1000).toISOString().replace(".000", "");
  console.log(instant, row.trip_id, row.stop_id, row.frequency ?? "-");
}
