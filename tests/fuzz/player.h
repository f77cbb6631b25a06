// Calls of the OpenCL API as bytes choose them, valid and invalid: objects of every kind are made, retained,
// released, queried and used, also after their end, at the edges of sizes and offsets, with commands that
// wait for events of the application. What an application alone can do wrong is left out: memory of its own
// that is too small, and waiting for an event that nobody completes.
#pragma once

#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace visor::fuzz {

struct Platform {
    cl_platform_id id = nullptr;
    cl_device_id device = nullptr;
    std::vector<std::string> zebins; // programs that need no compiler
};

class Player {
public:
    Player(const Platform& platform, std::span<const uint8_t> choices);
    // Completes what waits, and gives every reference back.
    ~Player();
    Player(const Player&) = delete;
    Player& operator=(const Player&) = delete;
    Player(Player&&) = delete;
    Player& operator=(Player&&) = delete;

    void play(); // until there are no choices left

private:
    using Call = void (Player::*)();
    static const std::array<Call, 48> calls;

    // ---- choices
    uint8_t byte();
    bool half() { return byte() % 2 == 0; }
    template <class List>
    auto pick(const List& list) {
        return list.empty() ? typename List::value_type{} : list[byte() % list.size()];
    }
    size_t size();                 // small ones, and edges of 32 and 64 bits
    std::array<size_t, 3> sizes(); //
    size_t small() { return byte() % 18U; }
    void* pointer();               // SVM, USM, both with offsets, freed ones, nullptr
    std::vector<cl_event> waits(); // for a command
    template <class T>
    void keep(std::vector<T>& list, T made) {
        if (made != nullptr)
            list.push_back(made);
    }
    // Room for a command's event, if it wants one.
    cl_event* event();
    void keep_event();
    void before_waiting(); // completes the application's own events

    // ---- player.cpp
    void make_context();
    void make_queue();
    void make_buffer();
    void make_part();
    void make_image();
    void make_sampler();
    void make_user_event();
    void make_program();
    void make_kernel();
    void set_status();
    void allocate_svm();
    void free_svm();
    void allocate_usm();
    void free_usm();
    void retain();
    void release();
    void query();
    void query_kernel();
    void query_handle();
    void callbacks();

    // ---- player_commands.cpp
    void set_argument();
    void launch();
    void read();
    void write();
    void copy();
    void fill();
    void read_rectangle();
    void write_rectangle();
    void copy_rectangle();
    void map();
    void map_image();
    void unmap();
    void read_image();
    void write_image();
    void copy_image();
    void image_to_buffer();
    void buffer_to_image();
    void fill_image();
    void copy_svm();
    void fill_svm();
    void map_svm();
    void use_usm();
    void migrate();
    void synchronize();

    // ---- player_recordings.cpp
    void make_command_buffer();
    void record();
    void record_fill(cl_command_buffer_khr to);
    void use_command_buffer();
    void replay();
    void release_command_buffers();

    const Platform& platform_;
    std::span<const uint8_t> choices_;
    std::vector<cl_context> contexts_; // released handles stay in these lists
    std::vector<cl_command_queue> queues_;
    std::vector<cl_mem> memories_;
    std::vector<cl_sampler> samplers_;
    std::vector<cl_event> events_;
    std::vector<cl_event> user_events_;
    std::vector<cl_program> programs_;
    std::vector<cl_kernel> kernels_;
    std::vector<cl_command_buffer_khr> command_buffers_;
    std::vector<void*> svm_;
    std::vector<void*> usm_;
    struct Mapping {
        cl_mem memory = nullptr;
        void* at = nullptr;
    };
    std::vector<Mapping> mappings_;
    cl_event made_ = nullptr;
    std::vector<std::byte> host_; // larger than any transfer that is accepted
};

} // namespace visor::fuzz
