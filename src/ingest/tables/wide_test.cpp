#include <cmath>
#include <gtest/gtest.h>

#include "base/error.h"
#include "ingest/test_input.h"

namespace tilebound::ingest {
namespace {

using test::count_notes;
using test::find;
using test::read_text;

/// The message of the error that reading `text` gives; empty when it gives none.
std::string error_of(std::string_view text) {
  try {
    read_text(text);
  } catch (const base::InputError& e) {
    return e.what();
  }
  return "";
}

TEST(WideCsv, ValuesOfTheIntervalThatEndsAtTheStamp) {
  const model::Capture capture = read_text(
      "Time (s),$MaliGPUActiveCy,Texture messages\n"
      "0.000985025,5,0\n"
      "0.001999133,7,0.333333\n");
  EXPECT_EQ(capture.format, "csv-wide");
  ASSERT_EQ(capture.axes.size(), 1u);
  EXPECT_EQ(capture.axes[0].stamps_ns, (std::vector<std::int64_t>{985025, 1999133}));
  EXPECT_TRUE(capture.axes[0].interval(0).empty());
  EXPECT_EQ(capture.axes[0].interval(1), (base::Interval{{985025}, {1999133}}));
  EXPECT_EQ(find(capture, "$MaliGPUActiveCy")->values.at(1), 7);
  EXPECT_EQ(find(capture, "$MaliGPUActiveCy")->kind, model::CounterKind::count);
  EXPECT_EQ(capture.notes.size(), count_notes(capture, "assumed_direction"));
}

TEST(WideCsv, TimeUnits) {
  const auto second_stamp = [](const std::string& name, const std::string& a,
                               const std::string& b) {
    return read_text(name + ",A\n" + a + ",1\n" + b + ",2\n").axes[0].stamps_ns[1];
  };
  EXPECT_EQ(second_stamp("Time (s)", "0.5", "1.5"), 1'500'000'000);
  EXPECT_EQ(second_stamp("Time [ms]", "0.5", "1.5"), 1'500'000);
  EXPECT_EQ(second_stamp("time_us", "1", "2"), 2000);
  EXPECT_EQ(second_stamp("timestamp_ns", "9007199254740993", "9007199254740995"), 9007199254740995);
  EXPECT_EQ(second_stamp("Time (\xC2\xB5s)", "1", "2.5"), 2500);
  // No unit: a millisecond is a likely period, and so is one that makes 600 MHz of the cycles.
  EXPECT_EQ(second_stamp("Time", "0.985025", "1.999133"), 1'999'133);
  EXPECT_EQ(second_stamp("ts", "1000000000", "1001000000"), 1'001'000'000);
  EXPECT_EQ(second_stamp("Time", "0.0", "0.1"), 100'000'000);
  const model::Capture second =
      read_text("Time,GPU active cycles\n0,600000000\n1,590000000\n2,600000000\n");
  EXPECT_EQ(second.axes[0].stamps_ns[1], 1'000'000'000);
  EXPECT_EQ(count_notes(second, "assumed_time_unit"), 1u);
}

TEST(WideCsv, EpochNanosecondsStayExact) {
  const model::Capture capture = read_text("ts,A\n1702641600123456789,1\n1702641600124456790,2\n");
  EXPECT_EQ(capture.axes[0].stamps_ns[1], 1702641600124456790);
}

TEST(WideCsv, UnavailableIsNeverZero) {
  const model::Capture capture = read_text(
      "Time (ms),A,B,C,D,E,F\n"
      "1,n/a,-,,nan,inf,N/A\n"
      "2,1,2,3,4,5,6\n");
  for (const model::Counter& counter : capture.counters) {
    EXPECT_TRUE(std::isnan(counter.values.at(0))) << counter.name;
    EXPECT_EQ(counter.values.at(1), counter.name[0] - 'A' + 1);
  }
  EXPECT_EQ(capture.notes.size(), 1u);
}

TEST(WideCsv, WrongCellsAreNotedWithTheirPlace) {
  const model::Capture capture = read_text("Time (ms),A,B\n1,1,oops\n2,2,3\n3,x,nope\n");
  EXPECT_TRUE(std::isnan(find(capture, "B")->values.at(0)));
  ASSERT_EQ(capture.notes.size(), 3u);
  EXPECT_EQ(capture.notes[1].id, "bad_cell");
  EXPECT_EQ(capture.notes[1].count, 2u);
  EXPECT_NE(capture.notes[1].message.find("line 2, column 3 (\"B\"): \"oops\""), std::string::npos)
      << capture.notes[1].message;
}

TEST(WideCsv, DecimalCommasAndSemicolons) {
  const model::Capture capture = read_text(
      "Time (ms);GPU active;Load (%)\n"
      "0,985;1.234.567;12,5\n"
      "1,999;2.345.678;13,25\n");
  EXPECT_EQ(capture.axes[0].stamps_ns[0], 985000);
  EXPECT_EQ(find(capture, "GPU active")->values.at(0), 1234567);
  EXPECT_EQ(find(capture, "Load (%)")->values.at(1), 13.25);
  EXPECT_EQ(count_notes(capture, "decimal_comma"), 1u);
}

TEST(WideCsv, ThousandsSeparators) {
  const auto value = [](const std::string& cell) {
    return read_text("Time (ms),A\n1," + cell + "\n2," + cell + "\n").counters[0].values.at(1);
  };
  EXPECT_EQ(value("\"1,234,567\""), 1234567);
  EXPECT_EQ(value("\"1,234\""), 1234);
  EXPECT_EQ(value("\"1,234.5\""), 1234.5);
  EXPECT_EQ(value("1'234'567"), 1234567);
  EXPECT_EQ(value("1 234 567"), 1234567);
  EXPECT_EQ(value("1\xC2\xA0"
                  "234"),
            1234);
  EXPECT_EQ(value("\"12,34,567\""), 1234567);
  EXPECT_EQ(value("1.234"), 1.234);
  EXPECT_EQ(value("45.5 %"), 45.5);
}

TEST(WideCsv, MarkCrlfAndLinesBeforeTheHeader) {
  const model::Capture capture = read_text(
      "\xEF\xBB\xBF# dumped by a script, do not edit\r\n"
      "device: Mali-G77, 9 cores\r\n"
      "\r\n"
      "Time (ms),GPU active cycles\r\n"
      "1,10\r\n"
      "2,20\r\n");
  ASSERT_EQ(capture.counters.size(), 1u);
  EXPECT_EQ(capture.counters[0].name, "GPU active cycles");
  EXPECT_EQ(capture.counters[0].values.at(1), 20);
}

TEST(WideCsv, NamesSurvive) {
  const std::string name = "% Shaders Busy, 100%% (Bytes/sec) a/b";
  const model::Capture capture = read_text("Time (ms),\"" + name + "\"\n1,2\n2,3\n");
  EXPECT_EQ(capture.counters[0].name, name);
  const model::Capture quotes = read_text("Time (ms),\"a \"\"quoted\"\" name\"\n1,2\n2,3\n");
  EXPECT_EQ(quotes.counters[0].name, "a \"quoted\" name");
}

TEST(WideCsv, RaggedRows) {
  const model::Capture capture = read_text("Time (ms),A,B\n1,1,1\n2,2\n3,3,3,3\n4,4,4\n");
  ASSERT_EQ(capture.axes[0].size(), 3u);
  EXPECT_TRUE(std::isnan(find(capture, "B")->values.at(1)));
  EXPECT_EQ(count_notes(capture, "ragged_row"), 2u);
}

TEST(WideCsv, RowCutShortIsLeftOut) {
  const model::Capture capture = read_text("Time (ms),A,B\n1,1,1\n2,2,2\n3,31");
  EXPECT_EQ(capture.axes[0].size(), 2u);
  EXPECT_EQ(count_notes(capture, "truncated"), 1u);
  EXPECT_EQ(count_notes(read_text("Time (ms),A\n1,1\n2,2"), "unterminated"), 1u);
}

TEST(WideCsv, OutOfOrderRowsAreSorted) {
  const model::Capture capture = read_text("Time (ms),A\n1,1\n3,3\n2,2\n3,4\n");
  EXPECT_EQ(find(capture, "A")->values.to_vector(), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(count_notes(capture, "out_of_order"), 1u);
  EXPECT_EQ(count_notes(capture, "repeated_stamp"), 1u);
}

TEST(WideCsv, TextColumnsUnitRowsAndTotals) {
  const model::Capture capture = read_text(
      "Time,Name,Reads\n"
      "ms,,bytes\n"
      "1,main,10\n"
      "2,main,20\n"
      "Total,,30\n");
  ASSERT_EQ(capture.counters.size(), 1u);
  EXPECT_EQ(capture.counters[0].unit, "bytes");
  EXPECT_EQ(capture.axes[0].stamps_ns[1], 2'000'000);
  EXPECT_EQ(count_notes(capture, "text_column"), 1u);
  EXPECT_EQ(count_notes(capture, "skipped_row"), 1u);
}

TEST(WideCsv, FrequencyBecomesTheClock) {
  const model::Capture capture =
      read_text("Time (ms),GPU frequency (MHz),GPU active cycles\n1,260,10\n2,260,20\n3,637,30\n");
  ASSERT_EQ(capture.clock.size(), 2u);
  EXPECT_EQ(capture.clock[0].frequency.value, 260e6);
  EXPECT_EQ(capture.clock[1].time_ns, 2'000'000);
  EXPECT_EQ(capture.clock[1].frequency.value, 637e6);
  EXPECT_EQ(find(capture, "GPU frequency (MHz)")->kind, model::CounterKind::level);
}

TEST(WideCsv, DuplicateNamesAreNoted) {
  const model::Capture capture = read_text("Time (ms),A,A\n1,1,2\n2,1,2\n");
  EXPECT_EQ(capture.counters.size(), 2u);
  EXPECT_EQ(count_notes(capture, "duplicate_name"), 1u);
}

TEST(WideCsv, AStrayQuoteCostsItsRowOnly) {
  const model::Capture capture =
      read_text("Time (ms),A\n1,1\n2,\"2\n3,3\n4,4\n5,\"5\n6,6\n\"7\",\"7\"\n");
  EXPECT_EQ(find(capture, "A")->values.to_vector().size(), 7u);
  EXPECT_EQ(find(capture, "A")->values.at(6), 7);
  EXPECT_EQ(count_notes(capture, "bad_cell"), 2u);
  EXPECT_EQ(count_notes(capture, "open_quote"), 2u);
}

TEST(WideCsv, AnEmbeddedNulIsOneWrongCell) {
  using namespace std::string_view_literals;
  const model::Capture capture = read_text("Time (ms),A\n1,1\n2,2\0002\n3,3\n"sv);
  EXPECT_EQ(capture.axes[0].size(), 3u);
  EXPECT_EQ(count_notes(capture, "bad_cell"), 1u);
}

TEST(WideCsv, Errors) {
  EXPECT_EQ(error_of(""), "input: the file is empty");
  EXPECT_NE(error_of("hello world\n").find("not a capture of a known format"), std::string::npos);
  using namespace std::string_view_literals;
  EXPECT_NE(error_of("\xFF\xFET\0i\0m\0e\0,\0A\0"sv).find("UTF-16"), std::string::npos);
  EXPECT_NE(error_of("T\0i\0m\0e\0,\0A\0\n\0002\0,\0"sv).find("UTF-16"), std::string::npos);
  EXPECT_NE(error_of("Time (ms),A,B\n").find("a header and no rows"), std::string::npos);
  EXPECT_NE(error_of("Time (ms),A\n0,985,1\n1,999,2\n").find("3 cells where the header has 2"),
            std::string::npos);
}

TEST(WideCsv, StreamsInSmallPieces) {
  std::string text = "Time (ms),A,\"B, C\"\n";
  for (int i = 1; i <= 3000; ++i) text += std::to_string(i) + ",\"1,000\",2\n";
  base::ByteSource source = test::slow_source(text, 7);
  const model::Capture capture = read_capture(source);
  EXPECT_EQ(capture.axes[0].size(), 3000u);
  EXPECT_EQ(find(capture, "B, C")->values.sum(), 6000);
  EXPECT_EQ(find(capture, "A")->values.sum(), 3e6);
}

}  // namespace
}  // namespace tilebound::ingest
