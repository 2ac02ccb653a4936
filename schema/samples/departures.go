// The departures of a stop or station from an instant on, across midnights, clock changes and time zones.
//
//	go run departures.go STORE STOP_ID 2026-10-25T00:30:00+02:00 SECONDS [arrivals]
//
// Beside it: go mod init departures; go get github.com/mattn/go-sqlite3. Run it in this folder.
package main

import (
	"database/sql"
	"fmt"
	"log"
	"os"
	"sort"
	"strconv"
	"time"
	_ "time/tzdata"

	_ "github.com/mattn/go-sqlite3"
)

type departure struct {
	instant, route, trip, sequence int64
	date                           string
	tripID, stopID, frequency      string
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// One service day of one zone. `begin` is noon minus 12 hours of that day.
func ask(store *sql.DB, query, stop, zone, date string, begin, start, end int64) (found []departure) {
	rows := must(store.Query(query, sql.Named("stop_id", stop), sql.Named("date", must(strconv.Atoi(date))),
		sql.Named("from_time", start-begin), sql.Named("until_time", end-begin)))
	defer rows.Close()
	for rows.Next() {
		var row departure
		var seconds int64
		var timezone string
		var frequency sql.NullString
		columns := make([]any, len(must(rows.Columns())))
		for i := range columns {
			columns[i] = new(any)
		}
		// As in departures.sql: time, zone, keys of route and trip, trip_id, stop_sequence, stop_id, … and the frequency last.
		columns[0], columns[1], columns[2], columns[3] = &seconds, &timezone, &row.route, &row.trip
		columns[4], columns[5], columns[6], columns[len(columns)-1] = &row.tripID, &row.sequence, &row.stopID, &frequency
		if err := rows.Scan(columns...); err != nil {
			log.Fatal(err)
		}
		row.instant, row.date, row.frequency = begin+seconds, date, "-"
		if frequency.Valid {
			row.frequency = frequency.String
		}
		if timezone == zone {
			found = append(found, row)
		}
	}
	return found
}

func main() {
	what := "departures"
	if len(os.Args) > 5 {
		what = os.Args[5]
	}
	query := string(must(os.ReadFile("../" + what + ".sql")))
	store := must(sql.Open("sqlite3", "file:"+os.Args[1]+"?mode=ro"))
	var one int
	if err := store.QueryRow("SELECT 1 FROM stop WHERE stop_id = ?", os.Args[2]).Scan(&one); err != nil {
		log.Fatalf("the feed has no stop %s: %v", os.Args[2], err)
	}
	start := must(time.Parse(time.RFC3339, os.Args[3])).Unix()
	end := start + must(strconv.ParseInt(os.Args[4], 10, 64))
	var latest, earliest int64
	if err := store.QueryRow("SELECT ifnull(latest_time, 0), earliest_time FROM feed").Scan(&latest, &earliest); err != nil {
		log.Fatal(err)
	}
	zones := must(store.Query("SELECT timezone FROM route UNION SELECT timezone FROM feed"))
	names := []string{}
	for zones.Next() {
		var name string
		if err := zones.Scan(&name); err != nil {
			log.Fatal(err)
		}
		names = append(names, name)
	}
	found := []departure{}
	for _, name := range names {
		zone := must(time.LoadLocation(name))
		first, last := time.Unix(start-latest, 0).In(zone), time.Unix(end-earliest, 0).In(zone).AddDate(0, 0, 1)
		noon := time.Date(first.Year(), first.Month(), first.Day()-1, 12, 0, 0, 0, zone)
		for ; noon.Format("20060102") <= last.Format("20060102"); noon = noon.AddDate(0, 0, 1) {
			found = append(found, ask(store, query, os.Args[2], name, noon.Format("20060102"), noon.Unix()-43200, start, end)...)
		}
	}
	sort.SliceStable(found, func(i, j int) bool {
		a, b := found[i], found[j]
		left, right := []int64{a.instant, a.route, a.trip, a.sequence}, []int64{b.instant, b.route, b.trip, b.sequence}
		for place := range left {
			if left[place] != right[place] {
				return left[place] < right[place]
			}
		}
		return a.date < b.date
	})
	for _, row := range found {
		fmt.Println(time.Unix(row.instant, 0).UTC().Format("2006-01-02T15:04:05Z"), row.tripID, row.stopID, row.frequency)
	}
}
