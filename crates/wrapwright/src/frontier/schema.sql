-- The tables and functions of a frontier, version 1. See mod.rs for the idea.
--
-- Time is always the server's (clock_timestamp), so the clocks of workers do not matter. States of units: 0 waiting,
-- 1 leased, 2 done, 3 given up. A lease, a turn or a heartbeat that the server forgets in a power failure does no harm, so
-- these do not wait for the disk; `finish` does. Locks are taken in the order units, hosts, except in `lease`, which never waits for a lock.

CREATE SCHEMA wrapwright_frontier;
SET LOCAL search_path = wrapwright_frontier;

CREATE TABLE version (number integer NOT NULL);
INSERT INTO version VALUES (1);

-- `hash` is of the program and the units: the same work is there once. `opened` and `before` are about the output of whoever
-- follows the job.
CREATE TABLE jobs (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash text NOT NULL UNIQUE,
    program text NOT NULL,
    units bigint NOT NULL,
    most_tries integer NOT NULL,
    made timestamptz NOT NULL DEFAULT clock_timestamp(),
    opened boolean NOT NULL DEFAULT false,
    before bigint
);

CREATE TABLE workers (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    until timestamptz NOT NULL
);
CREATE INDEX workers_until ON workers (until);

-- `next` is when the next request may be made. `ready` is when the next unit may be leased; it follows `next`, and it is
-- apart from it because it is indexed: a turn changes only columns without an index, which is cheap.
CREATE TABLE hosts (
    host text PRIMARY KEY,
    next timestamptz NOT NULL DEFAULT to_timestamp(0),
    ready timestamptz NOT NULL DEFAULT to_timestamp(0),
    pace double precision NOT NULL DEFAULT 0,
    waiting bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 60);
CREATE INDEX hosts_ready ON hosts (ready) WHERE waiting > 0;

CREATE TABLE units (
    job bigint NOT NULL,
    number bigint NOT NULL,
    host text NOT NULL,
    input text NOT NULL,
    state smallint NOT NULL DEFAULT 0,
    tries integer NOT NULL DEFAULT 0,
    worker bigint,
    lease bigint,
    bytes bigint NOT NULL DEFAULT 0,
    report text,
    PRIMARY KEY (job, number)
) WITH (fillfactor = 60);
CREATE INDEX units_waiting ON units (host, tries, job, number) WHERE state = 0;
CREATE INDEX units_leased ON units (worker) WHERE state = 1;
CREATE SEQUENCE leases;

CREATE TABLE records (
    job bigint NOT NULL,
    unit bigint NOT NULL,
    position integer NOT NULL,
    record text NOT NULL,
    PRIMARY KEY (job, unit, position)
);

-- Registers a worker for this many seconds.
CREATE FUNCTION enter(called text, seconds double precision) RETURNS bigint LANGUAGE sql AS $$
    INSERT INTO wrapwright_frontier.workers (name, until)
    VALUES (called, clock_timestamp() + make_interval(secs => seconds)) RETURNING id
$$;

-- A heartbeat. False if the worker was given up, and its units with it.
CREATE FUNCTION beat(by bigint, seconds double precision) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    UPDATE wrapwright_frontier.workers SET until = clock_timestamp() + make_interval(secs => seconds) WHERE id = by;
    RETURN FOUND;
END $$;

-- Leases up to `most` units, one for each host that has a pace. If there are none, a single row says in how many seconds
-- the next host is ready; null if no unit waits at all.
CREATE FUNCTION lease(by bigint, most integer)
RETURNS TABLE (job bigint, number bigint, lease bigint, tries integer, input text, wait double precision)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    moment timestamptz := clock_timestamp();
    h record;
    want integer;
    taken integer;
    seen integer;
    rest integer := most;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    -- The row cannot be removed until this has ended, so no lease escapes `reap`.
    PERFORM FROM wrapwright_frontier.workers w WHERE w.id = by FOR KEY SHARE;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'this worker was given up' USING ERRCODE = 'WW001';
    END IF;
    -- A host that is locked here and not used is kept from others for nothing, so no more are asked for than are needed; again if
    -- some of them were busy.
    FOR pass IN 1..4 LOOP
        seen := 0;
        FOR h IN
            SELECT s.host, s.next, s.pace FROM wrapwright_frontier.hosts s
            WHERE s.waiting > 0 AND s.ready <= moment
            ORDER BY s.ready LIMIT rest FOR NO KEY UPDATE SKIP LOCKED
        LOOP
            seen := seen + 1;
            EXIT WHEN rest = 0;
            IF h.next > moment THEN
                -- Others have taken its turns; nothing is gained by waiting for them with a lease.
                UPDATE wrapwright_frontier.hosts s SET ready = h.next WHERE s.host = h.host;
                CONTINUE;
            END IF;
            want := CASE WHEN h.pace > 0 THEN 1 ELSE rest END;
            RETURN QUERY
                WITH chosen AS (
                    SELECT u.job, u.number FROM wrapwright_frontier.units u
                    WHERE u.host = h.host AND u.state = 0
                    ORDER BY u.tries, u.job, u.number LIMIT want FOR UPDATE SKIP LOCKED
                )
                UPDATE wrapwright_frontier.units u
                SET state = 1, worker = by, lease = nextval('wrapwright_frontier.leases'), tries = u.tries + 1
                FROM chosen c WHERE u.job = c.job AND u.number = c.number
                RETURNING u.job, u.number, u.lease, u.tries, u.input, NULL::double precision;
            GET DIAGNOSTICS taken = ROW_COUNT;
            IF taken = 0 THEN
                -- A job was removed with its units.
                UPDATE wrapwright_frontier.hosts s SET waiting =
                    (SELECT count(*) FROM wrapwright_frontier.units u WHERE u.host = h.host AND u.state = 0)
                WHERE s.host = h.host;
            ELSE
                UPDATE wrapwright_frontier.hosts s
                SET waiting = s.waiting - taken, ready = moment + make_interval(secs => h.pace)
                WHERE s.host = h.host;
                rest := rest - taken;
            END IF;
        END LOOP;
        EXIT WHEN rest = 0 OR seen = 0;
    END LOOP;
    IF rest = most THEN
        RETURN QUERY SELECT NULL::bigint, NULL::bigint, NULL::bigint, NULL::integer, NULL::text,
            extract(epoch FROM min(s.ready) - moment)::double precision
            FROM wrapwright_frontier.hosts s WHERE s.waiting > 0;
    END IF;
END $$;

-- Reserves the next turn at a host; gives the seconds until it comes. If that is more than `longest`, nothing is reserved and
-- the seconds are negative.
CREATE FUNCTION turn(place text, gap double precision, longest double precision)
RETURNS double precision LANGUAGE plpgsql AS $$
DECLARE
    due timestamptz;
    moment timestamptz;
BEGIN
    PERFORM set_config('synchronous_commit', 'off', true);
    SELECT h.next INTO due FROM wrapwright_frontier.hosts h WHERE h.host = place FOR NO KEY UPDATE;
    IF NOT FOUND THEN
        INSERT INTO wrapwright_frontier.hosts (host) VALUES (place) ON CONFLICT DO NOTHING;
        SELECT h.next INTO due FROM wrapwright_frontier.hosts h WHERE h.host = place FOR NO KEY UPDATE;
    END IF;
    -- After the lock was waited for.
    moment := clock_timestamp();
    IF due > moment + make_interval(secs => longest) THEN
        RETURN extract(epoch FROM moment - due);
    END IF;
    due := greatest(due, moment);
    UPDATE wrapwright_frontier.hosts SET next = due + make_interval(secs => gap), pace = gap WHERE host = place;
    RETURN extract(epoch FROM due - moment);
END $$;

-- No request to the host before this many seconds are over.
CREATE FUNCTION hold(place text, seconds double precision) RETURNS void LANGUAGE sql AS $$
    INSERT INTO wrapwright_frontier.hosts AS h (host, next)
    VALUES (place, clock_timestamp() + make_interval(secs => seconds))
    ON CONFLICT (host) DO UPDATE SET next = greatest(h.next, EXCLUDED.next)
$$;

-- Keeps the records of a unit and marks it as done, if the lease still holds. True also if that was done before with this
-- lease: the answer may have been lost. The cast of `state` keeps the planner from units_leased, where it would read all units
-- that anybody has; the key is the way to this one.
CREATE FUNCTION finish(of_job bigint, unit bigint, with_lease bigint, said text, size bigint, texts text[])
RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    UPDATE wrapwright_frontier.units SET state = 2, worker = NULL, report = said, bytes = size
    WHERE job = of_job AND number = unit AND lease = with_lease AND state::integer = 1;
    IF NOT FOUND THEN
        RETURN EXISTS (SELECT FROM wrapwright_frontier.units
            WHERE job = of_job AND number = unit AND lease = with_lease AND state = 2);
    END IF;
    INSERT INTO wrapwright_frontier.records (job, unit, position, record)
    SELECT of_job, finish.unit, f.position - 1, f.record FROM unnest(texts) WITH ORDINALITY AS f (record, position);
    RETURN true;
END $$;

-- Puts a unit back. If the try counts and was the last one, the unit is given up, with what was said.
CREATE FUNCTION give_back(of_job bigint, unit bigint, with_lease bigint, counts boolean, said text)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    back record;
BEGIN
    UPDATE wrapwright_frontier.units u
    SET state = CASE WHEN counts AND u.tries >= j.most_tries THEN 3 ELSE 0 END,
        tries = CASE WHEN counts THEN u.tries ELSE u.tries - 1 END,
        report = CASE WHEN counts AND u.tries >= j.most_tries THEN said END,
        worker = NULL, lease = NULL
    FROM wrapwright_frontier.jobs j
    WHERE u.job = of_job AND u.number = unit AND u.lease = with_lease AND u.state::integer = 1
        AND j.id = u.job
    RETURNING u.host, u.state INTO back;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    IF back.state = 0 THEN
        UPDATE wrapwright_frontier.hosts SET waiting = waiting + 1 WHERE host = back.host;
    END IF;
    RETURN true;
END $$;

-- Gives up one worker whose time is over: its units wait again, or are given up after their last try. Gives the number of
-- its units, null if there is no such worker.
CREATE FUNCTION reap(said text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
    lost bigint;
    freed integer;
BEGIN
    SELECT w.id INTO lost FROM wrapwright_frontier.workers w WHERE w.until < clock_timestamp()
    ORDER BY w.until LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    DELETE FROM wrapwright_frontier.workers WHERE id = lost;
    WITH back AS (
        UPDATE wrapwright_frontier.units u
        SET state = CASE WHEN u.tries >= j.most_tries THEN 3 ELSE 0 END,
            report = CASE WHEN u.tries >= j.most_tries THEN said END,
            worker = NULL, lease = NULL
        FROM wrapwright_frontier.jobs j
        WHERE u.worker = lost AND u.state = 1 AND j.id = u.job
        RETURNING u.host, u.state
    ), counted AS (
        SELECT b.host, count(*) AS units FROM back b WHERE b.state = 0 GROUP BY b.host
    ), locked AS (
        SELECT h.host FROM wrapwright_frontier.hosts h JOIN counted USING (host) ORDER BY h.host FOR UPDATE OF h
    ), told AS (
        UPDATE wrapwright_frontier.hosts h SET waiting = h.waiting + c.units
        FROM counted c JOIN locked l ON l.host = c.host WHERE h.host = c.host
    )
    SELECT count(*) INTO freed FROM back;
    RETURN freed;
END $$;

-- Removes a job, done or not.
CREATE FUNCTION forget(of_job bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM wrapwright_frontier.jobs WHERE id = of_job;
    DELETE FROM wrapwright_frontier.records WHERE job = of_job;
    DELETE FROM wrapwright_frontier.units WHERE job = of_job;
    DELETE FROM wrapwright_frontier.hosts WHERE host IN (
        SELECT h.host FROM wrapwright_frontier.hosts h
        WHERE h.waiting <= 0 AND h.next < clock_timestamp() - interval '1 hour' FOR UPDATE SKIP LOCKED);
END $$;
