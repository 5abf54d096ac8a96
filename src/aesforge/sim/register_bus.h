// SPDX-License-Identifier: Apache-2.0
//
// Bus: the master of the bus of registers that a core has, for one simulated cycle at a time.
//
// In each cycle: free() says whether request() may give it an access; drive() sets the inputs of
// the core; after they have settled, sample() is whether a response was taken in this cycle.
// Responses are in the order of requests. Signals without meaning carry noise, and `pause` holds
// back what the protocol lets a master hold back.

#ifndef AESFORGE_REGISTER_BUS_H
#define AESFORGE_REGISTER_BUS_H

#include <cstdint>

#include "Vdut.h"

struct Request {
  bool write;
  uint32_t address;
  uint32_t word;
  uint32_t strobe;  // bytes of a write
};

struct Response {
  bool error;
  uint32_t word;
};

#if defined(BUS_AXI_LITE)

// Address and data of a write in any order; an access starts while the one before has its response,
// if that is one of the same direction.
class Bus {
 public:
  bool free(bool write) const {
    return !address_left_ && !data_left_ && waiting_ < 2 && (!waiting_ || write == request_.write);
  }

  void request(const Request& request) {
    request_ = request;
    address_left_ = true;
    data_left_ = request.write;
    waiting_++;
  }

  template <typename Noise, typename Pause>
  void drive(Vdut& dut, Noise noise, Pause pause) {
    address_valid_ = address_left_ && (address_valid_ || !pause());
    data_valid_ = data_left_ && (data_valid_ || !pause());
    const bool write = address_valid_ && request_.write, read = address_valid_ && !request_.write;
    dut.s_axil_awvalid = write;
    dut.s_axil_awaddr = (write ? request_.address : noise()) & 0xfff;
    dut.s_axil_awprot = noise() & 7;
    dut.s_axil_wvalid = data_valid_;
    dut.s_axil_wdata = data_valid_ ? request_.word : noise();
    dut.s_axil_wstrb = (data_valid_ ? request_.strobe : noise()) & 15;
    dut.s_axil_arvalid = read;
    dut.s_axil_araddr = (read ? request_.address : noise()) & 0xfff;
    dut.s_axil_arprot = noise() & 7;
    dut.s_axil_bready = waiting_ && request_.write && !pause();
    dut.s_axil_rready = waiting_ && !request_.write && !pause();
  }

  bool sample(const Vdut& dut, Response& response) {
    if (dut.s_axil_awvalid && dut.s_axil_awready) address_left_ = address_valid_ = false;
    if (dut.s_axil_arvalid && dut.s_axil_arready) address_left_ = address_valid_ = false;
    if (dut.s_axil_wvalid && dut.s_axil_wready) data_left_ = data_valid_ = false;
    const bool written = dut.s_axil_bvalid && dut.s_axil_bready;
    const bool read = dut.s_axil_rvalid && dut.s_axil_rready;
    response = {(written ? dut.s_axil_bresp : dut.s_axil_rresp) != 0, dut.s_axil_rdata};
    waiting_ -= written || read;
    return written || read;
  }

 private:
  Request request_ = {};
  bool address_left_ = false, data_left_ = false;
  bool address_valid_ = false, data_valid_ = false;
  int waiting_ = 0;  // requests without a response
};

#elif defined(BUS_APB)

class Bus {
 public:
  bool free(bool) const { return phase_ == IDLE; }

  void request(const Request& request) {
    request_ = request;
    phase_ = SETUP;
  }

  template <typename Noise, typename Pause>
  void drive(Vdut& dut, Noise noise, Pause) {
    const bool selected = phase_ != IDLE;
    dut.s_apb_psel = selected;
    dut.s_apb_penable = phase_ == ACCESS;
    dut.s_apb_pwrite = selected ? request_.write : noise() & 1;
    dut.s_apb_paddr = (selected ? request_.address : noise()) & 0xfff;
    dut.s_apb_pwdata = selected && request_.write ? request_.word : noise();
    dut.s_apb_pstrb = selected ? (request_.write ? request_.strobe : 0) : noise() & 15;
    // PPROT does not change within a transfer.
    if (phase_ != ACCESS) dut.s_apb_pprot = noise() & 7;
  }

  bool sample(const Vdut& dut, Response& response) {
    response = {dut.s_apb_pslverr != 0, dut.s_apb_prdata};
    const bool done = phase_ == ACCESS && dut.s_apb_pready;
    phase_ = done ? IDLE : phase_ == SETUP ? ACCESS : phase_;
    return done;
  }

 private:
  enum { IDLE, SETUP, ACCESS } phase_ = IDLE;
  Request request_ = {};
};

#elif defined(BUS_WISHBONE)

// A cycle may stay open between strobes.
class Bus {
 public:
  bool free(bool) const { return !strobe_; }

  void request(const Request& request) {
    request_ = request;
    strobe_ = true;
  }

  template <typename Noise, typename Pause>
  void drive(Vdut& dut, Noise noise, Pause) {
    dut.s_wb_cyc = strobe_ || (noise() & 1);
    dut.s_wb_stb = strobe_;
    dut.s_wb_we = strobe_ ? request_.write : noise() & 1;
    dut.s_wb_adr = (strobe_ ? request_.address : noise()) & 0xfff;
    dut.s_wb_dat_w = strobe_ && request_.write ? request_.word : noise();
    dut.s_wb_sel = (strobe_ && request_.write ? request_.strobe : noise()) & 15;
  }

  bool sample(const Vdut& dut, Response& response) {
    response = {dut.s_wb_err != 0, dut.s_wb_dat_r};
    const bool done = strobe_ && (dut.s_wb_ack || dut.s_wb_err);
    strobe_ = strobe_ && !done;
    return done;
  }

 private:
  Request request_ = {};
  bool strobe_ = false;
};

#elif defined(BUS_TL_UL)

// A response with another source or opcode than the request's counts as an error.
class Bus {
 public:
  bool free(bool) const { return !valid_ && !waiting_; }

  void request(const Request& request) {
    request_ = request;
    valid_ = true;
  }

  template <typename Noise, typename Pause>
  void drive(Vdut& dut, Noise noise, Pause pause) {
    if (!valid_ && !waiting_) source_ = noise() & 0xff;
    const uint32_t put = request_.strobe == 15 ? 0 : 1;
    dut.tl_a_valid = valid_;
    dut.tl_a_opcode = valid_ ? (request_.write ? put : 4) : noise() & 7;
    dut.tl_a_param = valid_ ? 0 : noise() & 7;
    dut.tl_a_size = valid_ ? 2 : noise() & 3;
    dut.tl_a_source = valid_ ? source_ : noise() & 0xff;
    dut.tl_a_address = (valid_ ? request_.address : noise()) & 0xfff;
    dut.tl_a_mask = valid_ ? (request_.write ? request_.strobe : 15) : noise() & 15;
    dut.tl_a_data = valid_ && request_.write ? request_.word : noise();
    dut.tl_a_corrupt = valid_ ? 0 : noise() & 1;
    dut.tl_d_ready = waiting_ && !pause();
  }

  bool sample(const Vdut& dut, Response& response) {
    const bool other = dut.tl_d_source != source_ || dut.tl_d_opcode != (request_.write ? 0 : 1);
    response = {dut.tl_d_denied || other, dut.tl_d_data};
    const bool done = dut.tl_d_valid && dut.tl_d_ready;
    if (valid_ && dut.tl_a_ready) {
      valid_ = false;
      waiting_ = true;
    } else if (done) {
      waiting_ = false;
    }
    return done;
  }

 private:
  Request request_ = {};
  uint8_t source_ = 0;
  bool valid_ = false, waiting_ = false;
};

#else
#error "no master for this port"
#endif

#endif
