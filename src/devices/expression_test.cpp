#include "devices/expression.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace tilebound::devices {
namespace {

using Values = std::map<std::string, double, std::less<>>;

std::optional<double> value(std::string_view text, const Values& values = {}) {
  return Expression::parse(text).evaluate([&](std::string_view name) -> std::optional<double> {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
  });
}

/// "line:column reason" of what parse() throws.
std::string failure(std::string_view text) {
  try {
    Expression::parse(text);
  } catch (const ExpressionError& e) {
    return std::to_string(e.line) + ":" + std::to_string(e.column) + " " + e.reason;
  }
  return "none";
}

TEST(Expression, Precedence) {
  EXPECT_EQ(value("1 + 2 * 3"), 7);
  EXPECT_EQ(value("10 - 4 - 3"), 3);
  EXPECT_EQ(value("100 / 10 / 5"), 2);
  EXPECT_DOUBLE_EQ(value("$a*16/($b/10.3)", {{"a", 5}, {"b", 8}}).value(), 5 * 16 / (8 / 10.3));
  EXPECT_EQ(value("-2 * -3"), 6);
  EXPECT_EQ(value("2 - -3"), 5);
  EXPECT_EQ(value("-(1 + 2)"), -3);
  EXPECT_EQ(value(".5e1 + 380."), 385);
}

TEST(Expression, Functions) {
  EXPECT_EQ(value("min(3, 2) + max(3, 2, 7)"), 9);
  EXPECT_EQ(value("abs(-4)"), 4);
  EXPECT_EQ(value("if(1, 2, 3)"), 2);
  EXPECT_EQ(value("IF(0, 2, 3)"), 3);
  EXPECT_EQ(value("if(-1, 2, 3)"), 3);
}

TEST(Expression, UnavailableSpreadsExceptThroughTheBranchNotTaken) {
  EXPECT_EQ(value("$missing + 1"), std::nullopt);
  EXPECT_EQ(value("1 / 0"), std::nullopt);
  EXPECT_EQ(value("0 / ($a - $a)", {{"a", 1}}), std::nullopt);
  EXPECT_EQ(value("max(1, 1 / 0)"), std::nullopt);
  EXPECT_EQ(value("0 * (1 / 0)"), std::nullopt);
  EXPECT_EQ(value("if($b, 1 / $b, 0)", {{"b", 0}}), 0);
  EXPECT_EQ(value("if(1 / 0, 1, 2)"), std::nullopt);
  EXPECT_EQ(value("1e308 * 10"), std::nullopt);
  EXPECT_EQ(value("$nan", {{"nan", std::nan("")}}), std::nullopt);
}

TEST(Expression, ErrorsPointAtTheColumn) {
  EXPECT_EQ(failure(""), "1:1 the expression ends where a number, $Name or '(' is expected");
  EXPECT_EQ(failure("$A + "), "1:6 the expression ends where a number, $Name or '(' is expected");
  EXPECT_EQ(failure("$A $B"), "1:4 expected an operator or the end");
  EXPECT_EQ(failure("$A * / 2"), "1:6 expected a number, $Name or '('");
  EXPECT_EQ(failure("1 + $"), "1:6 a counter name must follow '$'");
  EXPECT_EQ(failure("$A)"), "1:3 a closing parenthesis without an opening one");
  EXPECT_EQ(failure("(($A"), "1:5 2 parentheses are not closed");
  EXPECT_EQ(failure("($A $B)"), "1:5 expected an operator or ')'");
  EXPECT_EQ(failure("MaliGPUActiveCy / 2"), "1:1 a counter name needs '$' before it");
  EXPECT_EQ(failure("2 * sqrt(4)"), "1:5 unknown function; there are min max abs if");
  EXPECT_EQ(failure("min(1)"), "1:7 too few arguments");
  EXPECT_EQ(failure("1 +\n  if(1, 2)"), "2:11 too few arguments");
  EXPECT_EQ(failure("1e999"), "1:1 no number, or one out of range");
  EXPECT_EQ(failure("1.2.3"), "1:4 expected an operator or the end");
  EXPECT_EQ(failure("$A ^ 2"), "1:4 expected an operator or the end");
  EXPECT_EQ(failure(std::string_view("1\0", 2)), "1:2 expected an operator or the end");
}

TEST(Expression, OneMissingLastParenthesisIsAccepted) {
  std::vector<model::Note> notes;
  const Expression parsed = Expression::parse("$A / ($ZOOM * 10000000", &notes);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].id, "unclosed_parenthesis");
  EXPECT_EQ(parsed, Expression::parse("$A / ($ZOOM * 10000000)"));
}

TEST(Expression, HostileTextGivesAnErrorNotAnOverflow) {
  EXPECT_EQ(failure(std::string(100'000, '(')), "1:202 nested deeper than 200 parentheses");
  EXPECT_EQ(failure(std::string(100'000, '-')), "1:201 too many signs");
  std::string chain = "1";
  for (int i = 0; i < 100'000; ++i) chain += "+1";
  EXPECT_EQ(value(chain), 100'001);
  const std::string text = Expression::parse(chain).text();
  EXPECT_EQ(Expression::parse(text).text(), text);
  std::string names = "0";
  for (int i = 0; i < 2000; ++i) names += "+$n" + std::to_string(i);
  EXPECT_NE(failure(names).find("too many counter names"), std::string::npos);
}

TEST(Expression, TextReadsBackEqual) {
  for (const char* text :
       {"1 + 2 * 3", "(1 + 2) * 3", "1 - (2 - 3)", "$a / ($b / 10.3)", "-$a * 2", "-(-$a)",
        "min($a, max(2, $b)) / if($c, 1, -1)", "0.1 + 1e-7 + 1e22 + 123456789",
        "$sm__throughput.avg.pct_of_peak_sustained_elapsed", "1 / (2 * 3)", "1 / 2 * 3"}) {
    const Expression parsed = Expression::parse(text);
    EXPECT_EQ(Expression::parse(parsed.text()), parsed) << text << " -> " << parsed.text();
  }
  EXPECT_EQ(Expression::parse("(($a)+(2*3))/$b").text(), "($a + 2 * 3) / $b");
}

TEST(Expression, NamesInOrderAndCommentsIgnored) {
  const Expression parsed = Expression::parse("$b + $ZOOM // not $c\n * $b + $a");
  EXPECT_EQ(parsed.names(), (std::vector<std::string>{"b", "ZOOM", "a"}));
}

TEST(Expression, TakenApart) {
  const Expression parsed = Expression::parse("$a * 4 / ($b * 2 / 8)");
  const auto parts = parsed.binary();
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->left.text(), "$a * 4");
  EXPECT_EQ(parts->right.text(), "$b * 2 / 8");
  EXPECT_EQ(parts->right.product().factor, 0.25);
  EXPECT_EQ(parts->right.product().names, std::vector<std::string>{"b"});
  EXPECT_TRUE(parts->right.product().simple);
  EXPECT_FALSE(Expression::parse("$a + $b").product().simple);
  EXPECT_FALSE(Expression::parse("1 / $b").product().simple);
  EXPECT_EQ(Expression::parse("2 * (3 + 1)").constant(), 8);
  const Expression replaced = parsed.substitute([](std::string_view name) {
    return name == "b" ? std::optional(Expression::parse("$x + $a")) : std::nullopt;
  });
  EXPECT_EQ(replaced.text(), "$a * 4 / (($x + $a) * 2 / 8)");
}

}  // namespace
}  // namespace tilebound::devices
