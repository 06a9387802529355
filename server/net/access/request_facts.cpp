#include "server/net/access/request_facts.hpp"

#include <algorithm>
#include <cctype>

namespace ptyd {
namespace {

int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Takes off what is before the next `separator`, and that.
std::string_view take_part(std::string_view& text, char separator) {
  const auto end = std::min(text.find(separator), text.size());
  const auto part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

}  // namespace

std::optional<std::string> percent_decode(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); i++) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex(text[i + 1]), low = hex(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    result += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return result;
}

std::string percent_encode(std::string_view text) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-._~").find(c) != std::string_view::npos) {
      result += c;
    } else {
      result += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return result;
}

std::optional<std::string> query_value(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    auto part = take_part(query, '&');
    const auto key = take_part(part, '=');
    if (key == name) return percent_decode(part);
  }
  return std::nullopt;
}

std::string forwarded_address(std::string_view node) {
  if (node.find('=') != std::string_view::npos) {
    auto parameters = node;
    node = {};
    while (!parameters.empty() && node.empty()) {
      auto value = take_part(parameters, ';');
      const auto name = without_blanks(take_part(value, '='));
      if (name.size() == 3 && (name[0] | 0x20) == 'f' && (name[1] | 0x20) == 'o' && (name[2] | 0x20) == 'r')
        node = without_blanks(value);
    }
  }
  if (node.size() >= 2 && node.front() == '"' && node.back() == '"') node = node.substr(1, node.size() - 2);
  if (node.starts_with('[')) return std::string(node.substr(1, std::min(node.find(']'), node.size()) - 1));
  const bool has_port = std::count(node.begin(), node.end(), ':') == 1;
  return std::string(node.substr(0, has_port ? node.find(':') : node.size()));
}

std::vector<std::string_view> listed(std::string_view header) {
  std::vector<std::string_view> tokens;
  while (!header.empty())
    if (const auto token = without_blanks(take_part(header, ',')); !token.empty()) tokens.push_back(token);
  return tokens;
}

bool takes_coding(std::string_view accept_encoding, std::string_view coding) {
  const auto takes = [coding](std::string_view offer) {
    const auto name = without_blanks(take_part(offer, ';'));
    const auto weight = without_blanks(offer);
    const bool refused = weight.starts_with("q=0") && weight.find_first_of("123456789") == std::string_view::npos;
    return !refused && std::equal(name.begin(), name.end(), coding.begin(), coding.end(), [](char sent, char known) {
      return std::tolower(static_cast<unsigned char>(sent)) == known;
    });
  };
  const auto offers = listed(accept_encoding);
  return std::any_of(offers.begin(), offers.end(), takes);
}

std::vector<std::string> cookie_values(std::string_view header, std::string_view name) {
  std::vector<std::string> values;
  while (!header.empty()) {
    auto part = without_blanks(take_part(header, ';'));
    const auto key = take_part(part, '=');
    if (key == name) values.emplace_back(part);
  }
  return values;
}

}  // namespace ptyd
