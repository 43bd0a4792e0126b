#include "ingest/tables/delimited.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "ingest/test_input.h"

namespace tilebound::ingest::tables {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Rows rows_of(std::string_view text, char delimiter = ',') {
  base::ByteSource source = base::ByteSource::from_memory("rows", text);
  DelimitedReader reader(source, delimiter);
  Rows rows;
  while (const Row* row = reader.next()) rows.emplace_back(row->begin(), row->end());
  return rows;
}

TEST(Delimited, Quotes) {
  EXPECT_EQ(rows_of("a,\"b, c\",\"d \"\"e\"\"\"\n"), (Rows{{"a", "b, c", "d \"e\""}}));
  EXPECT_EQ(rows_of("\"two\nlines\",b\nc,d\n"), (Rows{{"two\nlines", "b"}, {"c", "d"}}));
  EXPECT_EQ(rows_of("a,\"\",\n"), (Rows{{"a", "", ""}}));
  EXPECT_EQ(rows_of("5\" disk,b\n"), (Rows{{"5\" disk", "b"}}));
}

TEST(Delimited, BlankLinesEndsAndMark) {
  EXPECT_EQ(rows_of("\xEF\xBB\xBF"
                    "a,b\r\n\r\n  \nc,d"),
            (Rows{{"a", "b"}, {"c", "d"}}));
}

TEST(Delimited, QuoteThatNeverEndsCostsOneLine) {
  std::string text = "a,b\nc,\"d\n";
  for (int i = 0; i < 200; ++i) text += "1,2\n";
  base::ByteSource source = base::ByteSource::from_memory("rows", text);
  DelimitedReader reader(source, ',');
  std::size_t count = 0;
  while (reader.next() != nullptr) ++count;
  EXPECT_EQ(count, 202u);
  EXPECT_EQ(reader.open_quotes(), 1u);
  EXPECT_EQ(reader.line(), 202u);
}

TEST(Delimited, FindsTheDelimiter) {
  EXPECT_EQ(find_delimiter("Time,A"), ',');
  EXPECT_EQ(find_delimiter("Time;\"A, (b), c\";D"), ';');
  EXPECT_EQ(find_delimiter("Time\tA, b, c\tD"), '\t');
  EXPECT_EQ(find_delimiter("Time"), std::nullopt);
}

TEST(Delimited, TabsAndWideTables) {
  const model::Capture capture =
      test::read_text("Time (ms)\tA, B\tC;D\n1\t1,234\t5\n2\t1,234,567\t6\n");
  EXPECT_EQ(capture.counters[0].name, "A, B");
  EXPECT_EQ(capture.counters[0].values.at(1), 1234567);
  std::string header = "Time (ms)", row = "1";
  for (int i = 0; i < 20000; ++i) {
    header += ",c" + std::to_string(i);
    row += ",1";
  }
  EXPECT_THROW(test::read_text(header + "\n" + row + "\n"), base::InputError);
}

}  // namespace
}  // namespace tilebound::ingest::tables
