#include "public_set.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

namespace visor::compare {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

constexpr size_t most_items = size_t{1} << 30U; // in each dimension, and together
constexpr size_t most_group_items = 1024;

struct Project {
    std::string folder; // "": its files are not there
    std::string absent; // then: why
};

std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

// Of a checkout, from git's files; "": that is not known.
std::string commit_of(const fs::path& checkout) {
    const auto word = [](const std::string& text) { return text.substr(0, text.find_first_of(" \n")); };
    const std::string head = read(checkout / ".git" / "HEAD");
    constexpr std::string_view reference = "ref: ";
    if (!head.starts_with(reference))
        return word(head);
    const std::string name = word(head.substr(reference.size()));
    std::string loose = word(read(checkout / ".git" / name));
    if (!loose.empty())
        return loose;
    std::istringstream packed(read(checkout / ".git" / "packed-refs"));
    for (std::string line; std::getline(packed, line);)
        if (line.ends_with(" " + name))
            return word(line);
    return {};
}

class Reader {
public:
    Reader(std::string_view name, const Places& places, const std::function<bool(const std::string&)>& wanted)
        : name_(name), places_(places), wanted_(wanted) {}

    void read_all(const json& whole) {
        at_ = "the file";
        if (!is_object(whole, {"projects", "kernels"}))
            return;
        const json projects = member(whole, "projects", json::value_t::object);
        for (const auto& [name, entry] : projects.items())
            add_project(name, entry);
        size_t number = 0;
        for (const json& entry : member(whole, "kernels", json::value_t::array)) {
            at_ = fmt::format("kernel {}", number++);
            add_kernel(entry);
        }
    }
    [[nodiscard]] std::expected<PublicSet, std::vector<std::string>> done() {
        if (!errors_.empty())
            return std::unexpected(std::move(errors_));
        for (const auto& [why, count] : absent_)
            set_.left_out.push_back(fmt::format("{} kernels left out: {}", count, why));
        return std::move(set_);
    }

private:
    void fail(const std::string& what) { errors_.push_back(fmt::format("{}: {}: {}", name_, at_, what)); }

    // Whether it is one, with none but these members.
    bool is_object(const json& entry, std::initializer_list<std::string_view> members) {
        if (!entry.is_object()) {
            fail("it is no object");
            return false;
        }
        for (const auto& [key, value] : entry.items())
            if (std::ranges::find(members, key) == members.end())
                fail(fmt::format("the member `{}` is unknown", key));
        return true;
    }
    // An empty one of the type, once that has been told.
    json member(const json& of, const char* key, json::value_t type) {
        const auto found = of.find(key);
        if (found != of.end() && found->type() == type && !found->empty())
            return *found;
        fail(fmt::format("`{}` is absent, empty or of another type", key));
        return json(type);
    }
    std::string text(const json& of, const char* key, bool optional = false) {
        if (optional && !of.contains(key))
            return {};
        const json found = member(of, key, json::value_t::string);
        if (found.get_ref<const std::string&>().empty())
            fail(fmt::format("`{}` is empty", key));
        return found.get<std::string>();
    }
    // A path that stays in its folder.
    std::string path(const std::string& relative) {
        const fs::path found(relative);
        if (found.is_absolute() || std::ranges::find(found, fs::path("..")) != found.end())
            fail(fmt::format("`{}` is no path inside the project", relative));
        return relative;
    }

    void add_project(const std::string& name, const json& entry) {
        at_ = fmt::format("project `{}`", name);
        if (!is_object(entry,
                       {"from", "version", "licence", "url", "commit", "archive", "sha256", "empty_headers"}))
            return;
        const std::string from = text(entry, "from");
        if (from != "PyPI" && from != "Debian" && from != "checkout" && from != "repository")
            fail("`from` is PyPI, Debian, checkout or repository");
        Project& project = projects_[name];
        if (from == "repository") {
            project.folder = places_.own + "/" + path(name);
            return;
        }
        for (const char* key : {"version", "licence", "url"})
            text(entry, key);
        if (from != "checkout") {
            text(entry, "archive");
            text(entry, "sha256");
            project.folder = places_.brought + "/" + path(name);
            if (!fs::is_directory(project.folder))
                project = {.folder = "", .absent = "`scripts/setup kernels` brings them"};
            return;
        }
        const std::string commit = text(entry, "commit");
        project.folder = places_.sources + "/" + path(name);
        if (places_.sources.empty())
            project = {.folder = "", .absent = "`--sources FOLDER` names no folder with checkouts"};
        else if (!fs::is_directory(project.folder))
            project = {.folder = "", .absent = fmt::format("there is no checkout {}", project.folder)};
        else if (const std::string found = commit_of(project.folder); found != commit)
            project = {.folder = "",
                       .absent = fmt::format("{} is at commit {} instead of {}", project.folder,
                                             found.empty() ? "unknown" : found, commit)};
    }

    void add_kernel(const json& entry) {
        if (!is_object(entry, {"name", "project", "files", "kernel", "options", "global", "local",
                               "arguments", "tolerance", "pocl_is_wrong", "finding", "check"}))
            return;
        Work work;
        work.name = text(entry, "name");
        at_ = fmt::format("kernel `{}`", work.name);
        if (!names_.insert(work.name).second)
            fail("the name occurs twice");
        work.source = work.name;
        work.kernel = text(entry, "kernel");
        work.options = text(entry, "options", true);
        work.pocl_is_wrong = text(entry, "pocl_is_wrong", true);
        text(entry, "finding", true);
        set_sizes(work, entry);
        set_tolerance(work, entry);
        std::string absent = set_files(work, entry);
        const bool is_wanted = wanted_(work.name);
        set_arguments(work, entry, absent.empty() && is_wanted);
        if (is_wanted && absent.empty())
            set_.work.push_back(std::move(work));
        else if (is_wanted)
            ++absent_[std::move(absent)];
    }
    std::vector<size_t> sizes(const json& entry, const char* key) {
        std::vector<size_t> found;
        for (const json& size : member(entry, key, json::value_t::array)) {
            const bool fine =
                size.is_number_unsigned() && size.get<uint64_t>() > 0 && size.get<uint64_t>() <= most_items;
            if (!fine)
                fail(fmt::format("`{}` is of numbers from 1 to {}", key, most_items));
            found.push_back(fine ? size.get<size_t>() : 1);
        }
        if (found.size() > 3)
            fail(fmt::format("`{}` has more than three numbers", key));
        found.resize(std::min<size_t>(found.size(), 3));
        return found;
    }
    void set_sizes(Work& work, const json& entry) {
        const std::vector<size_t> global = sizes(entry, "global");
        const std::vector<size_t> local = sizes(entry, "local");
        if (global.size() != local.size())
            fail("`global` and `local` have different numbers of dimensions");
        work.dimensions = static_cast<unsigned>(global.size());
        size_t items = 1;
        size_t group_items = 1;
        for (size_t i = 0; i < std::min(global.size(), local.size()); ++i) {
            work.global[i] = global[i];
            work.local[i] = local[i];
            if (global[i] % local[i] != 0)
                fail(fmt::format("the global size {} is no multiple of the local size {}", global[i],
                                 local[i]));
            group_items = std::min(group_items * local[i], most_items);
            items = items > most_items / global[i] ? most_items + 1 : items * global[i];
        }
        if (group_items > most_group_items || items > most_items)
            fail(fmt::format("a work-group has more than {} items, or all have more than {}",
                             most_group_items, most_items));
        if (entry.contains("check") && sizes(entry, "check").size() != global.size())
            fail("`global` and `check` have different numbers of dimensions");
    }
    void set_tolerance(Work& work, const json& entry) {
        const auto found = entry.find("tolerance");
        if (found == entry.end())
            return;
        work.tolerance = found->is_number() ? found->get<double>() : -1;
        if (work.tolerance < 0 || work.tolerance >= 1)
            fail("`tolerance` is a number from 0 to below 1");
    }
    void set_arguments(Work& work, const json& entry, bool fill) {
        size_t number = 0;
        for (const json& argument : member(entry, "arguments", json::value_t::array)) {
            const std::string error = !argument.is_string()
                                          ? "it is no string"
                                          : add_argument(work, argument.get<std::string>(), fill);
            if (!error.empty())
                fail(fmt::format("argument {}: {}", number, error));
            ++number;
        }
        if (std::ranges::none_of(work.buffers, &Buffer::is_result))
            fail("no argument is a result (out, inout)");
    }
    // Where its files are; "" and a word why not: they are not there.
    std::pair<std::string, std::string> folder_of(const std::string& project) {
        const auto found = projects_.find(project);
        if (found == projects_.end()) {
            fail(fmt::format("there is no project `{}`", project));
            return {"", "there is no project"};
        }
        return {found->second.folder, found->second.absent};
    }
    // Those of another project begin with its name and a colon. "": all are there; else why not.
    std::string set_files(Work& work, const json& entry) {
        const std::string own = text(entry, "project");
        const auto [own_folder, own_absent] = folder_of(own);
        if (!projects_.contains(own))
            return own_absent;
        std::string absent;
        for (const json& file : member(entry, "files", json::value_t::array)) {
            if (!file.is_string()) {
                fail("`files` is of strings");
                continue;
            }
            const std::string words = file.get<std::string>();
            const size_t colon = words.find(':');
            const bool is_own = colon == std::string::npos;
            const auto [folder, why] = folder_of(is_own ? own : words.substr(0, colon));
            const std::string relative = path(is_own ? words : words.substr(colon + 1));
            const std::string whole = fmt::format("{}/{}", folder, relative);
            if (folder.empty()) {
                absent = why;
                continue;
            }
            if (!fs::is_regular_file(whole))
                fail(fmt::format("there is no file {}", whole));
            work.files.push_back(whole);
        }
        constexpr std::string_view mark = "{folder}";
        for (size_t at = work.options.find(mark); at != std::string::npos; at = work.options.find(mark))
            work.options.replace(at, mark.size(), own_folder);
        return absent;
    }

    std::string name_;
    const Places& places_;
    const std::function<bool(const std::string&)>& wanted_;
    std::string at_; // what is being read
    std::map<std::string, Project> projects_;
    std::set<std::string> names_;
    std::map<std::string, size_t> absent_; // kernels, by why
    PublicSet set_;
    std::vector<std::string> errors_;
};

} // namespace

std::expected<PublicSet, std::vector<std::string>>
read_public_set(std::string_view name, std::string_view content, const Places& places,
                const std::function<bool(const std::string&)>& wanted) {
    Reader reader(name, places, wanted);
    try {
        reader.read_all(json::parse(content));
    } catch (const json::exception& error) {
        return std::unexpected(std::vector{fmt::format("{}: {}", name, error.what())});
    }
    return reader.done();
}

std::optional<std::vector<Work>> public_set(const std::string& file, const std::string& only,
                                            const std::string& sources) {
    const Places places{
        .brought = VISOR_COMPARE_BROUGHT, .sources = sources, .own = VISOR_COMPARE_DESCRIPTIONS};
    const std::string path = VISOR_COMPARE_DESCRIPTIONS "/" + file;
    auto set = read_public_set(path, read(path), places,
                               [&](const std::string& name) { return name.contains(only); });
    if (!set) {
        for (const std::string& error : set.error())
            std::cerr << error << '\n';
        return std::nullopt;
    }
    for (const std::string& line : set->left_out)
        std::cerr << file << ": " << line << '\n';
    return std::move(set->work);
}

} // namespace visor::compare
