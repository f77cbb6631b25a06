// Launches through the command line, as users make them: arrays as files.
#include "examples/launch.h"

#include "process/process.h"

#include <cstdlib>
#include <cstring>
#include <iostream>

namespace visor::test {

namespace {

std::string text_of(const Sizes& sizes, unsigned dimensions) {
    std::string text;
    for (unsigned i = 0; i < dimensions; ++i)
        text += (i == 0 ? "" : ",") + std::to_string(sizes[i]);
    return text;
}

std::string argument_text(const Argument& argument, const std::string& path) {
    if (argument.kind == Argument::Kind::local)
        return "local:" + std::to_string(argument.local_bytes);
    if (argument.kind == Argument::Kind::sampler)
        return "sampler:" + argument.type;
    write_file(path, std::string(reinterpret_cast<const char*>(argument.data.data()), argument.data.size()));
    if (argument.kind == Argument::Kind::image)
        return "image:" + argument.type + ":" + std::to_string(argument.width) + "x" +
               std::to_string(argument.height) + ":@" + path;
    return argument.kind == Argument::Kind::array ? "@" + path + ":" + argument.type : "bytes:@" + path;
}

bool comes_back(const Argument& argument) {
    return argument.kind == Argument::Kind::array || argument.kind == Argument::Kind::image;
}

} // namespace

bool run_on_visor(const Place& place, Launch& launch) {
    const TemporaryFolder folder;
    const auto path = [&](const char* kind, size_t index) {
        return folder.file(kind + std::to_string(index) + ".bin");
    };
    std::vector<std::string> command{place.visor, "run", place.source, "--device", place.device};
    const auto add = [&](const char* option, const std::string& text) {
        command.emplace_back(option);
        command.push_back(text);
    };
    add("-g", text_of(launch.global, launch.dimensions));
    add("-l", text_of(launch.local, launch.dimensions));
    if (launch.offset != Sizes{})
        add("--offset", text_of(launch.offset, launch.dimensions));
    if (!launch.kernel.empty())
        add("-k", launch.kernel);
    // More options for one's own experiments: everything must hold for unoptimised code too, for instance.
    const char* const more = std::getenv("VISOR_TEST_OPTIONS");
    if (const std::string options = launch.options + (more == nullptr ? "" : std::string(" ") + more);
        !options.empty())
        add("--options", options);
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
        add("-a", argument_text(launch.arguments[i], path("in", i)));
        if (comes_back(launch.arguments[i]))
            add("--out", std::to_string(i) + "=" + path("out", i));
    }
    const Finished finished = run(command);
    launch.said = finished.out;
    if (finished.exit_code != 0) {
        std::cout << "exit code " << finished.exit_code << '\n' << finished.out << finished.err;
        return false;
    }
    for (size_t i = 0; i < launch.arguments.size(); ++i) {
        if (!comes_back(launch.arguments[i]))
            continue;
        const std::string content = read_file(path("out", i));
        launch.arguments[i].data.resize(content.size());
        std::memcpy(launch.arguments[i].data.data(), content.data(), content.size());
    }
    return true;
}

} // namespace visor::test
