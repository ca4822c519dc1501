import { expect, test } from "vitest";
import { isTimestamp, withOffset } from "../../provider/wire/timestamps.ts";

test.each([
  ["2026-11-27T00:00", "Moscow", "2026-11-27T00:00:00+03:00"],
  ["2026-11-27 09:30:15", "Ekaterinburg", "2026-11-27T09:30:15+05:00"],
  ["2026-11-27T00:00", "Europe/Berlin", "2026-11-27T00:00:00+01:00"],
  ["2026-07-01T00:00", "Berlin", "2026-07-01T00:00:00+02:00"],
  // In the night when clocks go back, midnight still has summer time.
  ["2026-10-25T00:00", "Berlin", "2026-10-25T00:00:00+02:00"],
  ["2026-10-25T12:00", "Berlin", "2026-10-25T12:00:00+01:00"],
  // A repeated hour is its first occurrence; a skipped hour is an hour later, on both sides of Greenwich.
  ["2026-10-25T02:30", "Berlin", "2026-10-25T02:30:00+02:00"],
  ["2026-11-01T01:30", "New York", "2026-11-01T01:30:00-04:00"],
  ["2026-03-29T02:30", "Berlin", "2026-03-29T02:30:00+01:00"],
  ["2026-03-08T02:30", "New York", "2026-03-08T02:30:00-05:00"],
  ["2026-03-08T03:00", "New York", "2026-03-08T03:00:00-04:00"],
  ["2026-03-08T00:00", "New York", "2026-03-08T00:00:00-05:00"],
  ["2026-04-05T02:45", "Sydney", "2026-04-05T02:45:00+11:00"],
  ["2026-10-04T02:30", "Sydney", "2026-10-04T02:30:00+10:00"],
  ["2026-10-04T01:45", "Lord Howe", "2026-10-04T01:45:00+10:30"],
  // A day that Samoa left out, midnight that a Brazilian spring left out, and names that Node knows but doesn't list.
  ["2011-12-30T12:00", "Pacific/Apia", "2011-12-30T12:00:00-10:00"],
  ["2018-11-04T00:00", "America/Sao_Paulo", "2018-11-04T00:00:00-03:00"],
  ["2026-11-27T00:00", "Asia/Kathmandu", "2026-11-27T00:00:00+05:45"],
  ["2026-11-27T00:00", "Asia/Kolkata", "2026-11-27T00:00:00+05:30"],
  ["2026-11-27T00:00", "UTC", "2026-11-27T00:00:00+00:00"],
  // Names of Rails.
  ["2026-07-01T00:00", "Eastern Time (US & Canada)", "2026-07-01T00:00:00-04:00"],
  ["2026-07-01T00:00", "Kathmandu", "2026-07-01T00:00:00+05:45"],
  ["2026-07-01T00:00", "New Delhi", "2026-07-01T00:00:00+05:30"],
  ["2026-07-01T00:00", "Samoa", "2026-07-01T00:00:00+13:00"],
  ["2026-07-01T00:00", "International Date Line West", "2026-07-01T00:00:00-12:00"],
  // Before time zones, Moscow was 2:30:17 ahead.
  ["1900-01-01T00:00", "Moscow", "1900-01-01T00:00:00+02:30"],
  ["2026-11-27T00:00-05:00", "Nowhere", "2026-11-27T00:00:00-05:00"],
])("%s in the time zone %s is %s", (text, zone, moment) => {
  expect(withOffset(text, () => zone)).toBe(moment);
});

test("a date alone, a day or an offset that isn't there and a word are no moments", () => {
  const texts = [
    "2026-11-27",
    "2026-02-30T00:00",
    "2026-11-27T24:61",
    "2026-11-27T00:00+25:00",
    "tomorrow",
    "",
  ];
  expect(texts.filter(isTimestamp)).toEqual([]);
});
