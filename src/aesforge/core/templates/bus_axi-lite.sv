  task idle;
    {s_axil_awvalid, s_axil_wvalid, s_axil_arvalid, s_axil_bready, s_axil_rready} = '0;
    {s_axil_awaddr, s_axil_araddr, s_axil_awprot, s_axil_arprot} = '0;
    {s_axil_wdata, s_axil_wstrb} = '0;
  endtask

  task write(input logic [11:0] address, input logic [31:0] data);
    pause;
    @(negedge clk_i);
    {s_axil_awvalid, s_axil_wvalid, s_axil_bready} = 3'b111;
    {s_axil_awaddr, s_axil_wdata, s_axil_wstrb} = {address, data, 4'b1111};
    @(posedge clk_i);
    while (!s_axil_awready) @(posedge clk_i);
    @(negedge clk_i);
    {s_axil_awvalid, s_axil_wvalid} = '0;
    @(posedge clk_i);
    while (!s_axil_bvalid) @(posedge clk_i);
    if (s_axil_bresp != 2'b00) fail("a write is in error");
  endtask

  task read(input logic [11:0] address);
    pause;
    @(negedge clk_i);
    {s_axil_arvalid, s_axil_rready} = 2'b11;
    s_axil_araddr = address;
    @(posedge clk_i);
    while (!s_axil_arready) @(posedge clk_i);
    @(negedge clk_i);
    s_axil_arvalid = 1'b0;
    @(posedge clk_i);
    while (!s_axil_rvalid) @(posedge clk_i);
    if (s_axil_rresp != 2'b00) fail("a read is in error");
    found = s_axil_rdata;
  endtask
