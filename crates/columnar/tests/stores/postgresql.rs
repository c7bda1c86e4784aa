//! Tables of a PostgreSQL server, read by `psql`.

use crate::films::{bare, film, films, record, run, short};
use crate::server::Server;
use columnar::{OnNewField, Postgresql, PostgresqlPlace, TableSpec};
use record::{Ending, Field, Record, RecordType, Sink, Tally};
use skip::skip;
use std::io;

fn place(server: &Server, table: &str) -> PostgresqlPlace {
    PostgresqlPlace::parse(&format!("{}&table={table}", server.url())).expect("an address")
}

fn write(
    place: &PostgresqlPlace,
    spec: &TableSpec,
    kind: &RecordType,
    records: &[Record],
    ending: Ending,
) -> io::Result<Tally> {
    let mut sink = Postgresql::open(place, std::slice::from_ref(kind), &bare(), spec)?;
    for record in records {
        sink.record(record)?;
    }
    sink.finish()?;
    sink.settle(ending)?;
    Ok(sink.tally().clone())
}

/// One server for all of it: starting one takes a second.
#[test]
fn tables_of_a_server() {
    let mut server = match Server::start() {
        Ok(server) => server,
        Err(why) => return skip("postgresql: tables_of_a_server", &why),
    };
    every_sort_of_value_comes_back(&server);
    a_key_updates_and_tells_the_history(&server);
    a_run_is_published_as_a_whole_or_not_at_all(&server);
    new_fields_are_added_refused_or_left_out(&server);
    what_does_not_fit_the_table_is_refused(&server);
    a_server_that_goes_leaves_whole_batches(&mut server);
}

fn every_sort_of_value_comes_back(server: &Server) {
    let mut all = films();
    all.push(record(
        "film",
        &[("title", "nul\0l \\N \\. \r\n"), ("actor", ""), ("actor", "NULL")],
    ));
    let tally = write(&place(server, "film"), &run(0, &[]), &film(), &all, Ending::Complete).expect("tables");
    assert_eq!((tally.records, tally.misfits.len()), (4, 2));
    let rows = server.ask(
        "SELECT title, year, price, new, released, shown, poster, actor, score, shop_name, shop_price FROM film \
         WHERE title LIKE 'Kelp%'",
    );
    assert_eq!(
        rows,
        [
            "Kelp \"and\" tide\tä|1999|12.50|t|2019-05-09|2019-05-10 01:30:00|/kelp.png|{\"Ada {x}\",\"B\\\\o\"}|{3,4}|Quay|7.25"
        ]
    );
    let odd = server.ask("SELECT year IS NULL, score, _misfit::json->>'year' FROM film WHERE title = 'Odd'");
    assert_eq!(odd, ["t|{1,NULL}|soon"]);
    let strange = server.ask("SELECT length(title), actor FROM film WHERE title LIKE 'nul%'");
    assert_eq!(strange, ["14|{\"\",\"NULL\"}"]);
    let reviews = server.ask(
        "SELECT r._position, r.by, r.stars, a._position, a.text FROM film f JOIN film_review r ON r._parent = f._id \
         LEFT JOIN film_review_answer a ON a._parent = r._id ORDER BY 1, 4",
    );
    assert_eq!(reviews, ["0|Ann|5|0|yes", "0|Ann|5|1|no", "1|Bob|||"]);
    let types = server.ask(
        "SELECT string_agg(udt_name, ' ' ORDER BY ordinal_position) FROM information_schema.columns WHERE table_name = 'film'",
    );
    assert_eq!(
        types,
        ["int8 text int8 numeric bool date timestamp text _text _int8 text numeric text"]
    );
}

fn a_key_updates_and_tells_the_history(server: &Server) {
    let keyed = place(server, "keyed");
    let gone = |number: u32| TableSpec {
        mark_gone: true,
        ..run(number, &["title"])
    };
    let with_reviews = |title: &str, reviewers: &[&str]| {
        let mut film = short(title, "2000");
        film.children
            .extend(reviewers.iter().map(|by| record("review", &[("by", by)])));
        film
    };
    let first = [
        with_reviews("A", &["x", "y"]),
        short("B", "2001"),
        short("C", "2002"),
        record("film", &[("year", "1")]),
    ];
    let tally = write(&keyed, &gone(0), &film(), &first, Ending::Complete).expect("tables");
    assert_eq!((tally.added, tally.changed, tally.gone, tally.keyless), (3, 0, 0, 1));
    let second = [with_reviews("A", &["w"]), short("B", "2001"), with_reviews("A", &["z"])];
    let tally = write(&keyed, &gone(1), &film(), &second, Ending::Complete).expect("tables");
    assert_eq!((tally.added, tally.changed, tally.gone), (0, 1, 1));
    let sql = "SELECT title, extract(hour FROM _first_seen AT TIME ZONE 'UTC'), extract(hour FROM _last_seen AT TIME ZONE 'UTC'), \
               _run, extract(hour FROM _changed AT TIME ZONE 'UTC'), extract(hour FROM _gone AT TIME ZONE 'UTC') FROM keyed ORDER BY 1";
    assert_eq!(
        server.ask(sql),
        ["A|12|13|run1|13|", "B|12|13|run1|12|", "C|12|12|run0|12|13"]
    );
    assert_eq!(server.ask("SELECT by FROM keyed_review"), ["z"]);
    let tally = write(&keyed, &gone(2), &film(), &[short("C", "2002")], Ending::Gaps).expect("tables");
    assert_eq!((tally.added, tally.changed, tally.gone), (0, 0, 0));
    assert_eq!(server.ask("SELECT count(*), count(_gone) FROM keyed"), ["3|0"]);
}

fn a_run_is_published_as_a_whole_or_not_at_all(server: &Server) {
    let place = place(server, "whole");
    let kind = film();
    write(&place, &run(0, &[]), &kind, &[short("A", "1")], Ending::Complete).expect("a table");
    let publish = TableSpec {
        publish: true,
        ..run(1, &["title"])
    };
    let replace = TableSpec {
        replace: true,
        ..run(2, &[])
    };
    for (spec, before, after) in [(publish, "1", "3001"), (replace, "3001", "3000")] {
        let many: Vec<Record> = (0..3000).map(|number| short(&number.to_string(), "2")).collect();
        write(&place, &spec, &kind, &many, Ending::Broken).expect("a table");
        assert_eq!(server.ask("SELECT count(*) FROM whole"), [before]);
        let mut sink = Postgresql::open(&place, std::slice::from_ref(&kind), &bare(), &spec).expect("a table");
        for record in &many {
            sink.record(record).expect("a record");
        }
        sink.finish().expect("all records");
        assert_eq!(
            (server.ask("SELECT count(*) FROM whole"), sink.flushed()),
            (vec![before.to_owned()], 0)
        );
        sink.settle(Ending::Gaps).expect("all records");
        assert_eq!(
            (server.ask("SELECT count(*) FROM whole"), sink.flushed()),
            (vec![after.to_owned()], 3000)
        );
    }
}

fn new_fields_are_added_refused_or_left_out(server: &Server) {
    let place = place(server, "public.fields");
    let old = RecordType::flat("film", ["title"]);
    write(
        &place,
        &run(0, &[]),
        &old,
        &[record("film", &[("title", "A")])],
        Ending::Complete,
    )
    .expect("a table");
    let new = RecordType::new(
        "film",
        vec![Field::text("title"), Field::text("Price"), Field::texts("isbn")],
    );
    let priced = [record("film", &[("title", "B"), ("Price", "1"), ("isbn", "2")])];
    let on = |on_new_field: OnNewField| TableSpec {
        on_new_field,
        ..run(1, &[])
    };
    let error = write(&place, &on(OnNewField::Freeze), &new, &priced, Ending::Complete).expect_err("frozen");
    assert!(error.to_string().contains("no columns for: `Price`, `isbn`"), "{error}");
    write(&place, &on(OnNewField::Drop), &new, &priced, Ending::Complete).expect("a table");
    let tally = write(&place, &on(OnNewField::Evolve), &new, &priced, Ending::Complete).expect("a table");
    assert_eq!(tally.notices, ["the table `fields` has new columns: `Price`, `isbn`"]);
    assert_eq!(
        server.ask("SELECT title, \"Price\", isbn FROM fields ORDER BY _id"),
        ["A||", "B||", "B|1|{2}"]
    );
}

fn what_does_not_fit_the_table_is_refused(server: &Server) {
    server.ask("CREATE TABLE other (_id bigint GENERATED BY DEFAULT AS IDENTITY, title integer)");
    let error = write(
        &place(server, "other"),
        &run(0, &[]),
        &film(),
        &films(),
        Ending::Complete,
    )
    .expect_err("a number");
    assert!(
        error.to_string().contains("`title`") && error.to_string().contains("`int4`"),
        "{error}"
    );
    server.ask("CREATE TABLE foreign_ids (_id bigint, title text)");
    let error = write(
        &place(server, "foreign_ids"),
        &run(0, &[]),
        &RecordType::flat("film", ["title"]),
        &[record("film", &[("title", "A")])],
        Ending::Complete,
    );
    let error = error.expect_err("no sequence");
    assert!(error.to_string().contains("has no sequence"), "{error}");
    let nobody = server.url().replace("tester@", "nobody:secret@");
    let nobody = PostgresqlPlace::parse(&nobody).expect("an address");
    let error = write(&nobody, &run(0, &[]), &film(), &[], Ending::Complete).expect_err("no such user");
    assert!(
        error.to_string().contains("nobody") && !error.to_string().contains("secret"),
        "{error}"
    );
    assert!(!nobody.name().contains("secret"), "{}", nobody.name());
    PostgresqlPlace::parse("postgresql://a@b:port/c").expect_err("no port");
}

fn a_server_that_goes_leaves_whole_batches(server: &mut Server) {
    let place = place(server, "going");
    let kind = film();
    let mut sink = Postgresql::open(&place, std::slice::from_ref(&kind), &bare(), &run(0, &[])).expect("a table");
    let mut error = None;
    for number in 0..100_000 {
        let mut film = short(&number.to_string(), "1");
        film.children.push(record("review", &[("by", "x")]));
        if number == 5000 {
            server.kill();
        }
        if let Err(found) = sink.record(&film) {
            error = Some(found);
            break;
        }
    }
    let error = error.expect("the server is gone");
    assert!(!error.to_string().is_empty(), "{error}");
    let flushed = sink.flushed();
    assert!(flushed >= 4000, "{flushed}");
    server.start_again();
    let counts = server.ask("SELECT (SELECT count(*) FROM going), (SELECT count(*) FROM going_review)");
    assert_eq!(
        counts,
        [format!("{flushed}|{flushed}")],
        "whole records, and those that it says"
    );
}
