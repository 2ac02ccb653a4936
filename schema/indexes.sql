-- Indexes that the declaration of fields does not imply; one statement a line.
-- Besides these the importer makes: a unique index on every column of a file's own IDs, and for every foreign key an
-- index that leads with it (partial: rows with NULL are left out). stop_time and search_term are ordered by
-- their primary keys (trip, stop_sequence) and (normalized_word, stop), which serve as indexes as well.
CREATE INDEX stop_longitude_latitude ON stop(longitude, latitude)
CREATE INDEX stop_cell_latitude ON stop(CAST((longitude + 180) * 100 AS INTEGER), latitude, longitude)
CREATE INDEX stop_normalized_name ON stop(normalized_name)
CREATE INDEX stop_code ON stop(code) WHERE code IS NOT NULL
CREATE INDEX stop_zone_id ON stop(zone_id) WHERE zone_id IS NOT NULL
CREATE INDEX stop_time_stop_departure_time ON stop_time(stop, departure_time)
CREATE INDEX search_term_stop ON search_term(stop)
CREATE INDEX shape_shape_id ON shape(shape_id)
CREATE INDEX trip_block_id ON trip(block_id) WHERE block_id IS NOT NULL
CREATE INDEX service_day_set ON service(day_set)
CREATE INDEX service_exception_service_date ON service_exception(service, date)
CREATE INDEX service_exception_date ON service_exception(date)
CREATE INDEX notice_code ON notice(code)
CREATE INDEX numbered_value_value ON numbered_value("table", "column", value)
CREATE INDEX translation_record_id ON translation(record_id) WHERE record_id IS NOT NULL
CREATE INDEX translation_record_sub_id ON translation(record_sub_id) WHERE record_sub_id IS NOT NULL
