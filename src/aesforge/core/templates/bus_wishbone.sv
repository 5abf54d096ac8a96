  task idle;
    {s_wb_cyc, s_wb_stb, s_wb_we, s_wb_adr, s_wb_dat_w, s_wb_sel} = '0;
  endtask

  task access(input logic to_write, input logic [11:0] address, input logic [31:0] data);
    pause;
    @(negedge clk_i);
    {s_wb_cyc, s_wb_stb, s_wb_we} = {2'b11, to_write};
    {s_wb_adr, s_wb_dat_w, s_wb_sel} = {address, data, 4'b1111};
    @(posedge clk_i);
    while (!s_wb_ack && !s_wb_err) @(posedge clk_i);
    if (s_wb_err) fail("an access is in error");
    found = s_wb_dat_r;
    @(negedge clk_i);
    {s_wb_cyc, s_wb_stb} = '0;
  endtask

  task write(input logic [11:0] address, input logic [31:0] data);
    access(1'b1, address, data);
  endtask

  task read(input logic [11:0] address);
    access(1'b0, address, '0);
  endtask
