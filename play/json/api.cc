#include "play/json/api.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "game/notation.h"

namespace makzero::play {
namespace {

using game::Parsed;
using nlohmann::json;

// Keywords of the document that are ours.
constexpr const char* kOtherNameOf = "x-other-name-of";
constexpr const char* kSetting = "x-setting";
constexpr const char* kWanted = "x-wanted";

constexpr const char* kSettings = "overrideSettings";

// Those of the document, by their names.
const json& schemas() {
  static const json kDocument = json::parse(api_text());
  return kDocument.at("components").at("schemas");
}

// The schema that another one refers to; itself where it refers to none.
const json& referred(json&& schema) = delete;
const json& referred(const json& schema) {
  const auto reference = schema.find("$ref");
  if (reference == schema.end()) return schema;
  const auto& path = reference->get_ref<const std::string&>();
  return schemas().at(path.substr(path.rfind('/') + 1));
}

// Whether a value fits a schema, by the keywords that the document's queries use: lengths are bytes, objects
// have no other fields.
bool fits(const json& value, const json& reference) {
  const json& schema = referred(reference);
  if (schema.contains("anyOf"))
    return std::ranges::any_of(schema["anyOf"], [&](const json& one) { return fits(value, one); });
  if (schema.contains("enum")) return std::ranges::count(schema["enum"], value) > 0;
  const std::string type = schema.value("type", value.type_name());
  if (type == "integer" ? !value.is_number_integer() : type != value.type_name()) return false;
  if (value.is_string())
    return value.get_ref<const std::string&>().size() <= schema.value("maxLength", SIZE_MAX);
  // As floating-point: whole numbers that are signed and unsigned are compared wrongly.
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return false;
  if (value.is_number())
    return value.get<double>() >= schema.value("minimum", -1e300) &&
           value.get<double>() <= schema.value("maximum", 1e300);
  if (value.is_array()) {
    const std::set<json> different(value.begin(), value.end());
    return value.size() >= schema.value("minItems", size_t{0}) &&
           value.size() <= schema.value("maxItems", SIZE_MAX) &&
           (!schema.value("uniqueItems", false) || different.size() == value.size()) &&
           std::ranges::all_of(value, [&](const json& item) { return fits(item, schema.at("items")); });
  }
  if (!value.is_object() || !schema.contains("properties")) return true;
  const auto field_fits = [&](const auto& field) {
    const auto property = schema["properties"].find(field.key());
    return property != schema["properties"].end() && fits(field.value(), *property);
  };
  return std::ranges::all_of(schema.at("required"), [&](const json& key) { return value.contains(key); }) &&
         std::all_of(value.items().begin(), value.items().end(), field_fits);
}

// What a field must be, in words.
std::string wanted(const json& reference) {
  const json& schema = referred(reference);
  if (reference.contains(kWanted)) return reference[kWanted];
  if (schema.contains("enum")) return "one of " + schema["enum"].dump();
  const std::string type = schema["type"];
  if (type == "boolean") return "true or false";
  if (type == "string") return "a text of at most " + schema["maxLength"].dump() + " bytes";
  return (type == "integer" ? "a whole number from " : "a number from ") + schema["minimum"].dump() + " to " +
         schema["maximum"].dump();
}

std::string other_name(const std::string& name, const std::string& own) {
  return "'" + name + "' is another name of '" + own + "': write one of them";
}

// What a query is checked into; the first failure is kept.
struct Check {
  // The fields of a query, or of its settings.
  void take(const json& fields, bool are_settings) {
    for (const auto& [name, value] : fields.items()) {
      const std::string written = are_settings ? kSettings : name;
      const auto property = properties.find(name);
      if (property == properties.end() || (are_settings && !property->contains(kSetting))) {
        are_settings ? unknown_setting(name) : unknown(name);
        continue;
      }
      const std::string own = property->value(kOtherNameOf, name);
      if (own != name && fields.contains(own)) fail(name, other_name(name, own));
      if (!fits(value, *property)) fail(written, "'" + name + "' must be " + wanted(*property));
      checked.fields[own] = value;
      if (own != written) checked.written[own] = written;
    }
  }

  void unknown(const std::string& name) {
    std::vector<std::string> names;
    for (const auto& [known, property] : properties.items()) names.push_back(known);
    const std::string near = game::did_you_mean(name, names);
    if (!near.empty()) return fail(name, "unknown field '" + name + "'" + near);
    checked.warnings.push_back({name, "unknown field '" + name + "' is left out"});
  }

  void unknown_setting(const std::string& name) {
    std::string text = "unknown setting '" + name + "' is left out; known are";
    for (const auto& [known, property] : properties.items()) {
      if (property.contains(kSetting)) text += " " + known;
    }
    checked.warnings.push_back({kSettings, text});
  }

  void fail(const std::string& wrong, const std::string& reason) {
    if (!why.empty()) return;
    why = reason;
    field = wrong;
  }

  const json& properties;
  CheckedQuery checked = {};
  std::string why = {}, field = {};
};

}  // namespace

std::string CheckedQuery::as_written(const std::string& field) const {
  return written.contains(field) ? written.at(field) : field;
}

Parsed<CheckedQuery> checked_query(const json& query, const std::string& schema, std::string* field) {
  if (!query.is_object())
    return Parsed<CheckedQuery>::failure({"a query is a JSON object: {\"game\": \"makyek\", \"moves\": []}"});
  Check check{schemas().at(schema).at("properties")};
  check.take(query, false);
  check.take(query.value(kSettings, json::object()), true);
  if (check.why.empty()) return check.checked;
  *field = check.field;
  return Parsed<CheckedQuery>::failure({check.why});
}

}  // namespace makzero::play
