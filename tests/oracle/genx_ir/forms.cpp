#include "forms.h"

#include "exceptions.h"
#include "trip.h"
#include "workers.h"

#include <fmt/format.h>

namespace visor::oracle {

namespace {

// As the compiler arranges a kernel: the reader adds a Target where there is none, and without a .function it
// runs the first instruction into the line of the last attribute.
std::string program(const Form& form) {
    std::string text = ".version 4.1\n.kernel \"k\"\n";
    for (const std::string& declaration : form.declarations)
        text += declaration + "\n";
    text += fmt::format(".kernel_attr SimdSize={}\n.kernel_attr Target=\"3d\"\n.function \"k_0\"\n\nk_0:\n",
                        form.simd);
    for (const std::string& line : form.code)
        text += line + "\n";
    return text + "ret (M1, 1)\n";
}

} // namespace

bool all_return(const std::vector<Form>& forms, const std::string& repository, const std::string& part) {
    Exceptions exceptions(repository, part);
    std::vector<Trip> trips(forms.size());
    corpus::each_in_parallel(forms.size(), [&](size_t at) {
        try {
            trips[at] = trip(program(forms[at]), *forms[at].device, Maker::hand);
        } catch (const std::exception& error) {
            trips[at].finding = error.what();
        }
    });
    size_t failures = 0;
    size_t returned = 0;
    for (size_t at = 0; at < forms.size(); ++at) {
        const auto verdict = exceptions.judge(forms[at].name, *forms[at].device, trips[at]);
        if (!verdict.message.empty())
            fmt::print("{}\n", verdict.message);
        failures += verdict.good ? 0 : 1;
        returned += trips[at].finding.empty() ? 1 : 0;
    }
    for (const std::string& entry : exceptions.unseen()) {
        fmt::print("exceptions.tsv: there is no {}\n", entry);
        ++failures;
    }
    fmt::print("{} of {} came back as they were sent; {} excepted; {} failures\n", returned, forms.size(),
               exceptions.used(), failures);
    return failures == 0;
}

} // namespace visor::oracle
